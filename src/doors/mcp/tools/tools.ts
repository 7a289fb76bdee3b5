// All tools, in the order in which agents see them.

import { z } from 'zod'
import type { Client } from '../../../contract/client.ts'
import { omitUndefined } from '../../../contract/omit-undefined.ts'
import type { Route } from '../../../contract/route.ts'
import { routes } from '../../../contract/routes.ts'
import { WARNING } from '../foreign-text.ts'
import { READS, SENDS, type Tool, tool } from '../tool.ts'
import { MessageView, messageLine, messageView } from '../views.ts'
import { addressOf, instance, messageId, recipient } from './fields.ts'
import * as reading from './reading.ts'
import * as sending from './sending.ts'

// The tool that waits for the next message of a conversation.

/** Clients give up on a call after a minute. */
const LONGEST_SECONDS = 50
const RECENT = 50

const waitForAnswer = tool({
  name: 'wait_for_answer',
  title: 'Wait for an answer',
  description:
    'Waits until the people of a conversation write something after the given message, and gives what they wrote. If nothing comes in time, ' +
    'the result is empty: call it again with the same fields to go on waiting.',
  uses: ['listMessages', 'streamEvents'],
  input: z.object({
    instance,
    chat: recipient,
    after: z
      .string()
      .min(1)
      .max(128)
      .meta({ description: 'Id of the last message that you know, often your own' }),
    seconds: z.int().min(1).max(LONGEST_SECONDS).default(30),
  }),
  output: z.object({ messages: z.array(MessageView) }),
  annotations: READS,
  async run({ api, signal }, { instance: instanceName, chat, after, seconds }) {
    const until = AbortSignal.any([signal, AbortSignal.timeout(seconds * 1000)])
    const messages = await untilAnswered(api, { instanceName, chat, after }, until)
    const text =
      messages.length === 0
        ? 'No answer has arrived yet.'
        : `${WARNING}\n${messages.map(messageLine).join('\n')}`
    return { text, data: { messages } }
  },
})

interface Wanted {
  instanceName: string
  chat: string
  after: string
}

/** The stream is opened before the first read, so that no message is missed between the two. */
async function untilAnswered(api: Client, wanted: Wanted, until: AbortSignal): Promise<MessageView[]> {
  const query = { instanceName: wanted.instanceName, events: 'messages.upsert' }
  const stream = await api.streamEvents({ query }, { signal: until }).catch((error: unknown) => {
    if (until.aborted) return undefined
    throw error
  })
  const first = await answersAfter(api, wanted)
  if (first.length > 0 || stream === undefined) return stop(stream, first)
  try {
    // Each event is a reason to read again: the list knows which message belongs to the chat.
    for await (const _ of stream.chunks) {
      const found = await answersAfter(api, wanted)
      if (found.length > 0) return found
      if (until.aborted) return []
    }
  } catch (error) {
    if (!until.aborted) throw error
  }
  return []
}

async function stop(
  stream: { chunks: AsyncIterable<unknown> } | undefined,
  found: MessageView[],
): Promise<MessageView[]> {
  await stream?.chunks[Symbol.asyncIterator]().return?.()
  return found
}

/** Incoming messages that are newer than the known one. */
async function answersAfter(api: Client, { instanceName, chat, after }: Wanted): Promise<MessageView[]> {
  const query = { instanceName, ...addressOf(chat), limit: String(RECENT) }
  const { messages } = await api.listMessages({ query })
  const known = messages.findIndex(({ messageId }) => messageId === after)
  const newer = known === -1 ? messages : messages.slice(0, known)
  return newer
    .filter(({ direction }) => direction === 'incoming')
    .map(messageView)
    .toReversed()
}

// The tool for sends that wait for the approval of a person. A key with walls does not have it: it cannot decide about its own sends.
const decideApproval = tool({
  name: 'decide_approval',
  title: 'Approve or reject a send',
  description:
    'Approves a send of another key that waits for a person, and then leaves, or rejects it. search_messages with the status ' +
    '`awaiting_approval` lists them. Ask your user first: the decision belongs to a person.',
  uses: ['approveMessage', 'rejectMessage'],
  input: z.object({
    instance,
    messageId,
    approve: z.boolean(),
    reason: z.string().max(200).optional().meta({ description: 'Why it is rejected' }),
  }),
  output: z.object({ messageId: z.string(), status: z.string() }),
  annotations: SENDS,
  async run({ api }, { instance: instanceName, messageId: id, approve, reason }) {
    const target = { params: { messageId: id }, query: { instanceName } }
    const { message } = approve
      ? await api.approveMessage(target)
      : await api.rejectMessage({ ...target, body: omitUndefined({ reason }) })
    const text = approve ? `The message ${id} was approved.` : `The message ${id} was rejected.`
    return { text, data: { messageId: id, status: message.status } }
  },
})

export const TOOLS: readonly Tool[] = [
  reading.listInstances,
  reading.findPeople,
  reading.listConversations,
  reading.readConversation,
  reading.searchMessages,
  reading.readMessage,
  reading.listGroups,
  reading.checkNumber,
  sending.sendText,
  sending.sendFile,
  sending.react,
  sending.cancel,
  sending.markRead,
  waitForAnswer,
  decideApproval,
]

/** The tools whose routes the key may all use. */
export const toolsOf = (mayUse: (route: Route) => boolean): Tool[] =>
  TOOLS.filter(({ uses }) => uses.every((id) => mayUse(routes[id])))
