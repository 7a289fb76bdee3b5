// The connection of the instance: reconnecting, a restart of the server, what happened to it, and its end.
import type { SeenState } from './findings.ts'
import { choice } from './interview.ts'
import { readState } from './pairing.ts'
import { sendText } from './sending.ts'
import { addCloses, closesBetween, readMetrics, type ServerMetrics } from './server-facts.ts'
import { instanceOf, record, type Trial, until } from './trial.ts'

const OPEN_MS = 60_000
const RESTART_MS = 5 * 60_000

const untilOpen = (trial: Trial, limitMs: number, isReady: () => Promise<boolean> = async () => true) =>
  until(trial, limitMs, async () => {
    if (!(await isReady())) return undefined
    const { state } = await readState(trial)
    return state === 'open' ? ({ outcome: 'ok' } as const) : undefined
  })

const NOT_OPEN = { outcome: 'failed', reason: 'not open in time' } as const

export async function reconnect(trial: Trial): Promise<void> {
  trial.interview.say('\nClosing the connection and opening it again.')
  await record(trial, 'connection', 'reconnect', async () => {
    const query = { instanceName: instanceOf(trial) }
    await trial.account.restartInstance({ query }, { signal: trial.signal })
    return (await untilOpen(trial, OPEN_MS)) ?? NOT_OPEN
  })
  await sendText(trial, 'text after the reconnect')
}

export async function restartServer(trial: Trial): Promise<void> {
  const before = await readMetrics(trial)
  const question = 'Stop the server and start it again now, without deleting its data. Done?'
  const answer = await trial.interview.ask(choice('restart', question, ['done', 'skip']))
  if (answer === 'skip') {
    trial.findings.checks.push({ section: 'connection', name: 'restart of the server', outcome: 'skipped' })
    return
  }
  const isOther = async () => isOtherProcess(before, await readMetrics(trial))
  await record(
    trial,
    'connection',
    'restart of the server',
    async () => (await untilOpen(trial, RESTART_MS, isOther)) ?? NOT_OPEN,
  )
  await sendText(trial, 'text after the restart')
}

/** Without metrics the answer of the person counts. */
const isOtherProcess = (before: ServerMetrics, now: ServerMetrics): boolean =>
  before.processStartedAt === undefined ||
  (now.processStartedAt !== undefined && now.processStartedAt !== before.processStartedAt)

/** Reads the states of the instance. They end with the instance. */
export async function readStates(trial: Trial): Promise<void> {
  const query = { instanceName: instanceOf(trial), events: 'connection.update', limit: '500' }
  const { events } = await trial.account.listEvents({ query }, { signal: trial.signal })
  const [first] = events
  trial.findings.states = events.flatMap((event): SeenState[] => {
    if (!('stateReason' in event.data)) return []
    const afterMs = Date.parse(event.timestamp) - Date.parse(first?.timestamp ?? event.timestamp)
    return [{ state: event.data.state, reason: event.data.stateReason, afterMs }]
  })
}

/** Adds the connections that were closed since the last reading of the metrics, also across a restart of the server. */
export async function countCloses(trial: Trial): Promise<void> {
  const now = await readMetrics(trial)
  if (now.processStartedAt === undefined) return
  const { lastMetrics } = trial.private
  if (lastMetrics) addCloses(trial.findings.closes, closesBetween(lastMetrics, now))
  trial.private.lastMetrics = now
}

export async function removeInstance(trial: Trial): Promise<void> {
  const { account, interview, signal } = trial
  const question = 'Log the phone out and delete the instance of this check?'
  if ((await interview.ask(choice('remove', question, ['yes', 'no']))) === 'no') return
  await readStates(trial)
  await record(trial, 'connection', 'log-out', async () => {
    const query = { instanceName: instanceOf(trial) }
    await account.logoutInstance({ query }, { signal })
    await account.deleteInstance({ query }, { signal })
    return { outcome: 'ok' }
  })
  trial.private.instanceName = undefined
}
