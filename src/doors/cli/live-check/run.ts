// The steps of a live check, in order.
import { ClientError } from '../../../contract/client.ts'
import { countCloses, readStates, reconnect, removeInstance, restartServer } from './connection.ts'
import { PLATFORMS, type Platform } from './findings.ts'
import { choice, type Question } from './interview.ts'
import { chooseRecipient, pair } from './pairing.ts'
import { answerHiddenNumber, followPresence, showTyping } from './people.ts'
import { receiveMessages } from './receiving.ts'
import { changeMessages, sendEverything } from './sending.ts'
import { readMetrics } from './server-facts.ts'
import type { Trial } from './trial.ts'

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
export async function runTrial(trial: Trial): Promise<void> {
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
export async function finishFindings(trial: Trial): Promise<void> {
  if (trial.findings.server === undefined) return
  await countCloses(trial).catch(() => undefined)
  if (trial.private.instanceName !== undefined) await readStates(trial).catch(() => undefined)
}
