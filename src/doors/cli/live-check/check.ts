// One live check from the first question to the report.
import type { FileHandle } from 'node:fs/promises'
import { type Client, ClientError } from '../../../contract/client.ts'
import type { Presence } from '../../../contract/people.ts'
import { wallClock } from '../../../kernel/async/clock.ts'
import {
  type Check,
  type Findings,
  hasProblem,
  newFindings,
  PLATFORMS,
  type Platform,
  type Section,
  type SeenState,
} from './findings.ts'
import { type Answers, askAtTerminal, askFile, choice, type Question } from './interview.ts'
import { chooseRecipient, pair, readState } from './pairing.ts'
import { received, receiveMessages } from './receiving.ts'
import { eventsNamed } from './seen-events.ts'
import { changeMessages, sendEverything, sendText, sendTextTo } from './sending.ts'
import { addCloses, closesBetween, readMetrics, type ServerMetrics } from './server-facts.ts'
import { instanceOf, record, type Trial, until } from './trial.ts'

/** For what is read at the end of an interrupted check. */
const LAST_CALLS_MS = 5000

export interface CheckParts {
  account: Client
  /** Without a key. */
  system: Client
  /** Undefined: a person answers at the terminal. */
  answers: Answers | undefined
  report: Pick<FileHandle, 'writeFile'>
}

export interface Conducted {
  findings: Findings
  /** The API name of the instance, if it still exists. */
  leftInstance: string | undefined
}

export async function conductCheck({ account, system, answers, report }: CheckParts): Promise<Conducted> {
  const controller = new AbortController()
  const { signal } = controller
  const interrupt = () => controller.abort(new Error('interrupted'))
  // The conversation is not the output of the command.
  const output = process.stderr
  const interview = answers
    ? askFile(answers, output)
    : askAtTerminal({ input: process.stdin, output, interrupt, signal })
  const findings = newFindings(new Date(wallClock()))
  const hidden: Trial['private'] = {
    instanceName: undefined,
    recipient: '',
    messageIds: new Map(),
    lastMetrics: undefined,
  }
  const trial: Trial = { account, system, interview, findings, signal, private: hidden }
  // A second Ctrl-C ends the process at once.
  process.once('SIGINT', interrupt)
  try {
    await runTrial(trial)
  } finally {
    process.off('SIGINT', interrupt)
    interview.close()
    await finishFindings({ ...trial, signal: AbortSignal.timeout(LAST_CALLS_MS) })
    await report.writeFile(`${reportOf(findings)}\n`)
  }
  return { findings, leftInstance: hidden.instanceName }
}

// The report of a live check, in Markdown.

const PLATFORM_NAMES: Record<Platform, string> = { android: 'Android', ios: 'iOS', web: 'Web or desktop' }

const TITLES: Record<Section, string> = {
  sending: 'Sent messages',
  changes: 'Changes of messages',
  receiving: 'Received messages',
  people: 'People',
  connection: 'Connection',
}

function reportOf(findings: Findings): string {
  const { startedAt, server, paired, platforms, checks, isInterrupted } = findings
  const problems = checks.filter(hasProblem).length
  const facts: [string, string][] = [
    ['Date', startedAt.toISOString().slice(0, 10)],
    ['API version', server?.version ?? 'unknown'],
    ['Network', server?.network ?? 'unknown'],
    ['Library', server?.library ?? 'unknown'],
    ['Client version', server?.client ?? 'unknown'],
    ['Paired by', paired === undefined ? 'not paired' : paired === 'qr' ? 'QR code' : 'pairing code'],
    ['Looked at on', platforms.map((name) => PLATFORM_NAMES[name]).join(', ') || 'none'],
    ['Complete', isInterrupted ? 'no' : 'yes'],
    ['Checks', `${checks.length}, ${problems} with a problem`],
  ]
  return [
    '# Live check',
    'This report contains no numbers, names, texts or ids.',
    table(['', ''], facts),
    ...(['sending', 'changes'] as const).map((section) => messageSection(findings, section)),
    ...(['receiving', 'people', 'connection'] as const).map((section) => stepSection(findings, section)),
    statesSection(findings),
    closesSection(findings),
    '## Notes\n\nDescribe here what differs, without private data.',
  ].join('\n\n')
}

function messageSection({ checks, platforms }: Findings, section: Section): string {
  const names = platforms.map((platform) => PLATFORM_NAMES[platform])
  const row = ({ sentMs, deliveredMs, shown = {}, ...check }: Check): string[] => {
    const views = platforms.map((platform) => shown[platform] ?? '–')
    return [check.name, outcome(check), seconds(sentMs), seconds(deliveredMs), ...views]
  }
  const columns = ['Message', 'Outcome', 'Sent after', 'Delivered after', ...names]
  return titled(section, columns, checks.filter((check) => check.section === section).map(row))
}

const stepSection = ({ checks }: Findings, section: Section): string =>
  titled(
    section,
    ['Check', 'Outcome', 'Took'],
    checks
      .filter((check) => check.section === section)
      .map((check) => [check.name, outcome(check), seconds(check.durationMs)]),
  )

function statesSection({ states }: Findings): string {
  const rows = states.map(({ state, reason, afterMs }) => [
    reason === null ? state : `${state}/${reason}`,
    seconds(afterMs),
  ])
  return `## States of the instance\n\n${rows.length === 0 ? 'None known.' : table(['State', 'After'], rows)}`
}

function closesSection({ closes }: Findings): string {
  const rows = Object.entries(closes).map(([code, count]) => [code, String(count)])
  const text = rows.length === 0 ? 'None known.' : table(['Code', 'Connections'], rows)
  return `## Close codes of the server during the check\n\n${text}`
}

function outcome({ outcome: word, reason, code }: Check): string {
  const details = [reason, code === null || code === undefined ? undefined : `code ${code}`].filter(Boolean)
  return details.length === 0 ? word : `${word} (${details.join(', ')})`
}

const seconds = (ms: number | undefined): string => (ms === undefined ? '–' : `${(ms / 1000).toFixed(1)} s`)

const titled = (section: Section, columns: string[], rows: string[][]): string =>
  `## ${TITLES[section]}\n\n${rows.length === 0 ? 'Not checked.' : table(columns, rows)}`

const table = (columns: string[], rows: readonly (readonly string[])[]): string =>
  [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

// The steps of a live check, in order.

// The connection of the instance: reconnecting, a restart of the server, what happened to it, and its end.

const OPEN_MS = 60_000
const RESTART_MS = 5 * 60_000

const untilOpen = (trial: Trial, limitMs: number, isReady: () => Promise<boolean> = async () => true) =>
  until(trial, limitMs, async () => {
    if (!(await isReady())) return undefined
    const { state } = await readState(trial)
    return state === 'open' ? ({ outcome: 'ok' } as const) : undefined
  })

const NOT_OPEN = { outcome: 'failed', reason: 'not open in time' } as const

async function reconnect(trial: Trial): Promise<void> {
  trial.interview.say('\nClosing the connection and opening it again.')
  await record(trial, 'connection', 'reconnect', async () => {
    const query = { instanceName: instanceOf(trial) }
    await trial.account.restartInstance({ query }, { signal: trial.signal })
    return (await untilOpen(trial, OPEN_MS)) ?? NOT_OPEN
  })
  await sendText(trial, 'text after the reconnect')
}

async function restartServer(trial: Trial): Promise<void> {
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
async function readStates(trial: Trial): Promise<void> {
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
async function countCloses(trial: Trial): Promise<void> {
  const now = await readMetrics(trial)
  if (now.processStartedAt === undefined) return
  const { lastMetrics } = trial.private
  if (lastMetrics) addCloses(trial.findings.closes, closesBetween(lastMetrics, now))
  trial.private.lastMetrics = now
}

async function removeInstance(trial: Trial): Promise<void> {
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

// What people see of each other: presence in both directions, and a person who hides the phone number.

const NEWS_MS = 30_000
const ARRIVAL_MS = 60_000
/** Long enough to look at the other phone. */
const TYPING_SECONDS = 60

async function followPresence(trial: Trial): Promise<void> {
  const { account, interview, signal } = trial
  const names = ['presence: online', 'presence: typing']
  const question =
    'Presence: the instance is shown as online meanwhile. With the phone of the recipient, open the chat with the number of the ' +
    'instance and type a few letters, without sending, after you have answered this.'
  if ((await interview.ask(choice('presence', question, ['ready', 'skip']))) === 'skip') {
    skip(trial, names)
    return
  }
  const [instanceName, person] = [instanceOf(trial), [trial.private.recipient]]
  const seen = new Set((await eventsNamed(trial, 'presence.update')).map(({ id }) => id))
  const reported = (presences: Presence[]) => async () => {
    const all = await eventsNamed(trial, 'presence.update')
    const isThere = all.some(({ id, data }) => !seen.has(id) && presences.includes(data.presence))
    return isThere ? ({ outcome: 'ok' } as const) : undefined
  }
  await account.subscribePresence({ body: { instanceName, subscribe: person } }, { signal })
  const expected: Presence[][] = [['available', 'typing', 'recording'], ['typing']]
  for (const [index, presences] of expected.entries()) {
    const check = await record(
      trial,
      'people',
      names[index] as string,
      async () => (await until(trial, NEWS_MS, reported(presences))) ?? NOT_REPORTED,
    )
    interview.say(check.outcome === 'ok' ? `  ${check.name}: reported` : `  ${check.name}: ${check.reason}`)
  }
  await account.subscribePresence({ body: { instanceName, unsubscribe: person } }, { signal })
}

const NOT_REPORTED = { outcome: 'failed', reason: 'not reported' } as const

/** The recipient sees the dots of the instance. */
async function showTyping(trial: Trial): Promise<void> {
  const { account, interview, signal } = trial
  const body = { instanceName: instanceOf(trial), number: trial.private.recipient }
  await record(trial, 'people', 'typing is shown', async () => {
    await account.showPresence({ body: { ...body, presence: 'typing', seconds: TYPING_SECONDS } }, { signal })
    const question = 'Does the phone of the recipient show "typing…" in the chat with the instance now?'
    const answer = await interview.ask(choice('typing', question, ['yes', 'no', 'skip']))
    await account.showPresence({ body: { ...body, presence: 'paused' } }, { signal })
    if (answer === 'skip') return { outcome: 'skipped' }
    return answer === 'yes' ? { outcome: 'ok' } : { outcome: 'failed', reason: 'not shown' }
  })
}

/** A person whose number stays hidden is received, and answered by the identifier of the chat. */
async function answerHiddenNumber(trial: Trial): Promise<void> {
  const known = new Set((await received(trial)).map(({ messageId }) => messageId))
  const question =
    'Hidden number: with an account that shows no number to the instance (with a username, say), send a text to the number of the ' +
    'instance. Skip this if you have none.'
  if ((await trial.interview.ask(choice('hidden', question, ['done', 'skip']))) === 'skip') {
    skip(trial, ['message with a hidden number', 'answer to a hidden number'])
    return
  }
  let chat: string | undefined
  const check = await record(trial, 'people', 'message with a hidden number', async () => {
    const message = await until(trial, ARRIVAL_MS, async () =>
      (await received(trial)).find((one) => one.type === 'text' && !known.has(one.messageId)),
    )
    if (!message) return { outcome: 'failed', reason: 'not received' }
    chat = message.chat
    return message.number === null ? { outcome: 'ok' } : { outcome: 'failed', reason: 'the number is shown' }
  })
  trial.interview.say(check.outcome === 'ok' ? '  received, without a number' : `  ${check.reason}`)
  if (chat !== undefined) await sendTextTo(trial, { chat }, 'people', 'answer to a hidden number')
}

function skip({ findings }: Trial, names: string[]): void {
  for (const name of names) findings.checks.push({ section: 'people', name, outcome: 'skipped' })
}

interface Step {
  name: string
  /** Only with a linked instance. */
  needsPhone: boolean
  run(trial: Trial): Promise<void>
}

const STEPS: readonly Step[] = [
  { name: 'server', needsPhone: false, run: readServer },
  { name: 'platforms', needsPhone: false, run: choosePlatforms },
  { name: 'pairing', needsPhone: false, run: pair },
  { name: 'recipient', needsPhone: true, run: chooseRecipient },
  { name: 'sending', needsPhone: true, run: sendEverything },
  { name: 'changes', needsPhone: true, run: changeMessages },
  { name: 'receiving', needsPhone: true, run: receiveMessages },
  { name: 'presence', needsPhone: true, run: followPresence },
  { name: 'typing', needsPhone: true, run: showTyping },
  { name: 'hidden number', needsPhone: true, run: answerHiddenNumber },
  { name: 'reconnect', needsPhone: true, run: reconnect },
  { name: 'restart', needsPhone: true, run: restartServer },
  { name: 'end', needsPhone: true, run: removeInstance },
]

const INTRODUCTION = `This check links a phone, sends about 25 messages to one number, and asks what the phone shows.
It takes about fifteen minutes. You need a phone with the account to link, and a second account whose owner agrees to get the messages.
A third account that hides its number is useful, and not needed.
The network does not permit automated use, and may restrict or ban the linked account: do not use an important number.
Ctrl-C ends the check at any time, and writes the report of what is known by then.`

/** Never rejects because of an interruption: the findings are what is known by then. */
async function runTrial(trial: Trial): Promise<void> {
  const { findings, interview, signal } = trial
  try {
    interview.say(INTRODUCTION)
    if ((await interview.ask(choice('start', 'Start?', ['yes', 'no']))) === 'no') {
      findings.isInterrupted = true
      return
    }
    for (const { needsPhone, run } of STEPS) {
      if (needsPhone && !isLinked(trial)) continue
      await countCloses(trial)
      await run(trial)
    }
  } catch (error) {
    findings.isInterrupted = true
    if (signal.aborted) return
    if (!(error instanceof ClientError)) throw error
    findings.checks.push({ section: 'connection', name: 'call', outcome: 'failed', reason: error.reason })
  }
}

const isLinked = ({ findings }: Trial): boolean =>
  findings.checks.some(({ name, outcome }) => name.startsWith('pairing') && outcome === 'ok')

async function readServer(trial: Trial): Promise<void> {
  const { system, findings, interview, signal } = trial
  const { version } = await system.healthz(undefined, { signal })
  const { facts } = await readMetrics(trial)
  findings.server = { version, ...facts }
  interview.say(
    `\nServer: API ${version}, network ${facts.network}, library ${facts.library}, client ${facts.client}`,
  )
}

const WHICH: Question<Platform[]> = {
  id: 'platforms',
  text: `On which apps of the recipient can you look at the messages? [${PLATFORMS.join(', ')}]`,
  expected: `one or more of ${PLATFORMS.join(', ')}, separated by commas`,
  read(answer) {
    const words = answer.toLowerCase().split(/[\s,]+/)
    const known = PLATFORMS.filter((platform) => words.includes(platform))
    return known.length === words.length ? known : undefined
  },
}

async function choosePlatforms({ findings, interview }: Trial): Promise<void> {
  findings.platforms = await interview.ask(WHICH)
}

/** What can still be read at the end, also after an interruption. */
async function finishFindings(trial: Trial): Promise<void> {
  if (trial.findings.server === undefined) return
  await countCloses(trial).catch(() => undefined)
  if (trial.private.instanceName !== undefined) await readStates(trial).catch(() => undefined)
}
