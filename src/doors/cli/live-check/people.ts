// What people see of each other: presence in both directions, and a person who hides the phone number.
import type { Presence } from '../../../contract/people.ts'
import { choice } from './interview.ts'
import { received } from './receiving.ts'
import { eventsNamed } from './seen-events.ts'
import { sendTextTo } from './sending.ts'
import { instanceOf, record, type Trial, until } from './trial.ts'

const NEWS_MS = 30_000
const ARRIVAL_MS = 60_000
/** Long enough to look at the other phone. */
const TYPING_SECONDS = 60

export async function followPresence(trial: Trial): Promise<void> {
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
export async function showTyping(trial: Trial): Promise<void> {
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
export async function answerHiddenNumber(trial: Trial): Promise<void> {
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
