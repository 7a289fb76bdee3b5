// Tools that send and change: texts and files, now or later, reactions, cancelled messages, read marks.
import { z } from 'zod'
import { omitUndefined } from '../../../contract/omit-undefined.ts'
import { CHANGES, SENDS, tool } from '../tool.ts'
import {
  addressOf,
  instance,
  messageId,
  recipient,
  replyTo,
  requestId,
  Sent,
  sendAt,
  sentResult,
} from './fields.ts'

const text = z
  .string()
  .min(1)
  .max(65_536)
  .meta({ description: 'The text, with *bold* and _italic_ as on the phone' })
/** How long an agent waits for the outcome of a send. A queue may be longer: the status then is `queued`. */
const WAIT_SECONDS = 15
const optionsOf = (id: string | undefined, signal: AbortSignal, sendAt?: string) =>
  omitUndefined({ idempotencyKey: id, signal, waitSeconds: sendAt === undefined ? WAIT_SECONDS : undefined })

export const sendText = tool({
  name: 'send_text',
  title: 'Send a text',
  description:
    'Sends a text to a person or a group, now or at `sendAt`. With `replyTo` it is a reply. The recipient sees "typing" for a few seconds ' +
    'first. cancel_message takes back a text that is sent later.',
  uses: ['sendText'],
  input: z.object({ instance, to: recipient, text, replyTo, sendAt, requestId }),
  output: Sent,
  annotations: SENDS,
  async run(
    { api, signal },
    { instance: instanceName, to, text: message, replyTo: quotedMessageId, sendAt: at, requestId: id },
  ) {
    const later = omitUndefined({ quotedMessageId, sendAt: at })
    const body = { instanceName, ...addressOf(to), message, ...later }
    return sentResult(await api.sendText({ body }, optionsOf(id, signal, at)))
  },
})

export const sendFile = tool({
  name: 'send_file',
  title: 'Send a file',
  description:
    'Sends an image, video, audio file or document from a public URL, with an optional caption, now or at `sendAt`. With `replyTo` it is ' +
    'a reply.',
  uses: ['sendMedia'],
  input: z.object({
    instance,
    to: recipient,
    url: z.string().max(2048).meta({ description: 'http or https URL of the file' }),
    type: z
      .enum(['image', 'video', 'document', 'audio'])
      .optional()
      .meta({ description: 'If absent: by the ending of the URL' }),
    caption: z.string().max(1024).optional(),
    fileName: z.string().max(255).optional().meta({ description: 'Name of a document' }),
    replyTo,
    sendAt,
    requestId,
  }),
  output: Sent,
  annotations: SENDS,
  async run({ api, signal }, { instance: instanceName, to, url: mediaUrl, replyTo: quoted, ...rest }) {
    const { type, caption, fileName, sendAt: at, requestId: id } = rest
    const options = omitUndefined({ type, caption, fileName, quotedMessageId: quoted, sendAt: at })
    const body = { instanceName, ...addressOf(to), mediaUrl, ...options }
    return sentResult(await api.sendMedia({ body }, optionsOf(id, signal, at)))
  },
})

export const react = tool({
  name: 'react',
  title: 'React to a message',
  description: 'Puts one emoji on a message, or withdraws it.',
  uses: ['reactToMessage'],
  input: z.object({
    instance,
    messageId,
    emoji: z.string().max(64).nullable().meta({ description: 'One emoji; null withdraws the reaction' }),
    requestId,
  }),
  output: Sent,
  annotations: SENDS,
  async run({ api, signal }, { instance: instanceName, messageId: id, emoji, requestId: key }) {
    const input = { params: { messageId: id }, body: { instanceName, emoji } }
    return sentResult(await api.reactToMessage(input, optionsOf(key, signal)))
  },
})

export const cancel = tool({
  name: 'cancel_message',
  title: 'Cancel a message that was not sent yet',
  description: 'Takes back a message whose status is queued or scheduled.',
  uses: ['cancelMessage'],
  input: z.object({ instance, messageId }),
  output: z.object({ messageId: z.string(), status: z.string() }),
  annotations: CHANGES,
  async run({ api }, { instance: instanceName, messageId: id }) {
    const { message } = await api.cancelMessage({ params: { messageId: id }, query: { instanceName } })
    return { text: `The message ${id} was cancelled.`, data: { messageId: id, status: message.status } }
  },
})

export const markRead = tool({
  name: 'mark_read',
  title: 'Mark a conversation as read',
  description: 'Sets the unread count to 0 and shows the people in the chat that their messages were read.',
  uses: ['readChat'],
  input: z.object({ instance, chat: recipient }),
  output: z.object({ chat: z.string(), receipts: z.string() }),
  annotations: CHANGES,
  async run({ api }, { instance: instanceName, chat }) {
    const answer = await api.readChat({ query: { instanceName }, body: addressOf(chat) })
    return {
      text: `The conversation ${answer.chat.chat} is marked as read.`,
      data: { chat: answer.chat.chat, receipts: answer.receipts },
    }
  },
})
