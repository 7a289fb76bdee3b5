// Reading and cancelling messages (decisions 6).
import { z } from 'zod'
import {
  chatJid,
  instanceName,
  jsonValue,
  limit,
  number,
  page,
  plainText,
  success,
  timestamp,
} from './fields.ts'
import { route } from './route.ts'
import { Failure, MESSAGE_KINDS, MESSAGE_STATUSES } from './sending.ts'

export const DIRECTIONS = ['outgoing', 'incoming'] as const
export type Direction = (typeof DIRECTIONS)[number]

/** What a message that was not sent through the API can be; some kinds are about another message. */
export const RECEIVED_TYPES = [
  'text',
  'image',
  'video',
  'document',
  'audio',
  'sticker',
  'location',
  'contact',
  'poll',
  'poll_vote',
  'reaction',
  'edit',
  'delete',
  'button_reply',
  'list_reply',
  'unsupported',
] as const
export type ReceivedType = (typeof RECEIVED_TYPES)[number]

/** Sent and received kinds together, each once. */
export const messageType = z.enum([...MESSAGE_KINDS, ...RECEIVED_TYPES]).meta({
  description:
    'What it is. Received messages may also be a tap (`button_reply`, `list_reply`) or about another message ' +
    '(`poll_vote`, `reaction`, `edit`, `delete`), which `content.targetMessageId` then names',
})
export type MessageType = z.output<typeof messageType>

export const Message = z
  .object({
    messageId: z.string(),
    instanceName: z.string().meta({ description: 'Unique API name of the instance' }),
    direction: z.enum(DIRECTIONS),
    number: z.string().nullable(),
    groupJid: z.string().nullable(),
    type: messageType,
    status: z.enum(MESSAGE_STATUSES),
    content: z.record(z.string(), jsonValue).meta({
      description:
        'What was sent, as it was asked for. Of a received message: `from`, `text`, `media`, `quoted`, ' +
        '`interactiveReplyId`, and what else the kind carries',
    }),
    failure: Failure.nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
    sentAt: timestamp.nullable(),
    deliveredAt: timestamp.nullable(),
    readAt: timestamp.nullable(),
  })
  .meta({
    id: 'Message',
    examples: [
      {
        messageId: '3EB0A1B2C3D4E5F60718',
        instanceName: 'support-k3v9x2ma',
        direction: 'outgoing',
        number: '5511912345678',
        groupJid: null,
        type: 'text',
        status: 'queued',
        content: { message: 'Hello *there* 👋' },
        failure: null,
        createdAt: '2026-01-31T12:00:00.000Z',
        updatedAt: '2026-01-31T12:00:00.000Z',
        sentAt: null,
        deliveredAt: null,
        readAt: null,
      },
    ],
  })

const common = { area: 'api', tag: 'Messages', scopes: ['send'] } as const
const byMessageId = z.strictObject({
  messageId: plainText(1, 128).meta({ examples: ['3EB0A1B2C3D4E5F60718'] }),
})
const OneMessage = z.object({ success, message: Message })

export const listMessages = route({
  ...common,
  id: 'listMessages',
  method: 'GET',
  path: '/messages',
  summary: 'List messages, newest first',
  openWithoutSubscription: true,
  query: z.strictObject({
    instanceName: instanceName.optional(),
    number: number.optional(),
    chat: chatJid.optional().meta({ description: 'Only messages of this chat, both directions' }),
    status: z.enum(MESSAGE_STATUSES).optional(),
    direction: z.enum(DIRECTIONS).optional(),
    page,
    limit,
  }),
  answer: z.object({
    success,
    count: z.int(),
    page: z.int(),
    limit: z.int(),
    hasMore: z.boolean(),
    messages: z.array(Message),
  }),
  reasons: ['instance_not_found'],
})

export const getMessage = route({
  ...common,
  id: 'getMessage',
  method: 'GET',
  path: '/messages/{messageId}',
  summary: 'Read a message and what became of it',
  params: byMessageId,
  answer: OneMessage,
  reasons: ['message_not_found'],
})

export const getMessageMedia = route({
  ...common,
  id: 'getMessageMedia',
  method: 'GET',
  path: '/messages/{messageId}/media',
  summary: 'Fetch the file of a received message',
  description:
    'Files are fetched when they arrive and kept for 14 days; older ones are asked of the network, which forgets them after ' +
    'some weeks. Files above 100 MB are not to be had. A stranger chose the bytes, their type and their name.',
  params: byMessageId,
  answer: { file: true, contentTypes: ['*/*'], description: 'The file, with its own media type' },
  reasons: ['message_not_found', 'media_not_found', 'network_timeout'],
})

export const cancelMessage = route({
  ...common,
  id: 'cancelMessage',
  method: 'POST',
  path: '/messages/{messageId}/cancel',
  summary: 'Cancel a message that is still queued',
  params: byMessageId,
  answer: OneMessage,
  reasons: ['message_not_found', 'message_not_cancellable'],
})
