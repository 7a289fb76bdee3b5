// Asks the person to send messages of several kinds, and looks whether the gateway receives them.
import type { MessageType } from '../../../contract/messages.ts'
import { choice } from './interview.ts'
import { eventsNamed } from './seen-events.ts'
import { instanceOf, record, type Trial, until } from './trial.ts'

const ARRIVAL_MS = 60_000

interface Expected {
  type: MessageType
  /** Completes the sentence "With the phone of the recipient, …". */
  wanted: string
  hasFile?: boolean
}

const EXPECTED: readonly Expected[] = [
  { type: 'text', wanted: 'send a text' },
  { type: 'image', wanted: 'send a photo', hasFile: true },
  { type: 'audio', wanted: 'send a voice message', hasFile: true },
  { type: 'reaction', wanted: 'react to a message' },
  { type: 'button_reply', wanted: 'tap a button of the message with two buttons' },
  { type: 'list_reply', wanted: 'choose a row of the list' },
  { type: 'poll_vote', wanted: 'vote in the poll' },
]

export async function receiveMessages(trial: Trial): Promise<void> {
  for (const expected of EXPECTED) await receive(trial, expected)
  await receiveEdit(trial)
}

/** Phones encrypt an edit with the secret of the edited message, which only a device that received it has. */
async function receiveEdit(trial: Trial): Promise<void> {
  const seen = new Set((await eventsNamed(trial, 'messages.edited')).map(({ id }) => id))
  const text = 'With the phone of the recipient, edit the text that it sent to the instance. Done?'
  const answer = await trial.interview.ask(choice('received.edit', text, ['done', 'skip']))
  if (answer === 'skip') {
    trial.findings.checks.push({ section: 'receiving', name: 'edit', outcome: 'skipped' })
    return
  }
  const check = await record(trial, 'receiving', 'edit', async () => {
    const edit = await until(trial, ARRIVAL_MS, async () =>
      (await eventsNamed(trial, 'messages.edited')).find(
        ({ id, data }) => !seen.has(id) && data.direction === 'incoming',
      ),
    )
    if (!edit) return { outcome: 'failed', reason: 'not received' }
    return edit.data.text === null ? { outcome: 'failed', reason: 'without a text' } : { outcome: 'ok' }
  })
  trial.interview.say(check.outcome === 'ok' ? '  received' : `  ${check.reason}`)
}

async function receive(trial: Trial, { type, wanted, hasFile = false }: Expected): Promise<void> {
  const known = new Set((await received(trial)).map(({ messageId }) => messageId))
  const text = `With the phone of the recipient, ${wanted} to the number of the instance. Done?`
  const answer = await trial.interview.ask(choice(`received.${type}`, text, ['done', 'skip']))
  if (answer === 'skip') {
    trial.findings.checks.push({ section: 'receiving', name: type, outcome: 'skipped' })
    return
  }
  const check = await record(trial, 'receiving', type, async () => {
    const message = await until(trial, ARRIVAL_MS, async () =>
      (await received(trial)).find((one) => one.type === type && !known.has(one.messageId)),
    )
    if (!message) return { outcome: 'failed', reason: 'not received' }
    if (hasFile) await download(trial, message.messageId)
    return { outcome: 'ok' }
  })
  trial.interview.say(check.outcome === 'ok' ? '  received' : `  ${check.reason}`)
}

export async function received(trial: Trial) {
  const query = { instanceName: instanceOf(trial), direction: 'incoming', limit: '100' } as const
  return (await trial.account.listMessages({ query }, { signal: trial.signal })).messages
}

const download = (trial: Trial, messageId: string): Promise<unknown> =>
  trial.account.getMessageMedia(
    { params: { messageId }, query: { instanceName: instanceOf(trial) } },
    { signal: trial.signal },
  )
