// Reading and cancelling messages.
import { z } from 'zod'
import { addressFields, withAddressFilter } from './chat-address.ts'
import { chatIdFields } from './chat-fields.ts'
import {
  instanceName,
  jsonValue,
  limit,
  messageChat,
  page,
  plainText,
  reference,
  success,
  timestamp,
} from './fields.ts'
import { endpoint } from './route.ts'
import { Failure, MESSAGE_KINDS, MESSAGE_STATUSES } from './sending.ts'

export const DIRECTIONS = ['outgoing', 'incoming'] as const
export type Direction = (typeof DIRECTIONS)[number]

/** Types of messages that were not sent through the API. Some refer to another message. */
export const RECEIVED_TYPES = [
  'text',
  'image',
  'video',
  'document',
  'audio',
  'sticker',
  'location',
  'contact',
  'event',
  'order',
  'product',
  'button',
  'cta',
  'pix',
  'album',
  'poll',
  'poll_vote',
  'event_answer',
  'reaction',
  'edit',
  'delete',
  'pin',
  'disappearing',
  'button_reply',
  'list_reply',
  'view_once_unavailable',
  'undecryptable',
  'unsupported',
] as const
export type ReceivedType = (typeof RECEIVED_TYPES)[number]

export const messageType = z.enum([...MESSAGE_KINDS, ...RECEIVED_TYPES]).meta({
  description:
    'Type of the message. A message that only the phone of the account may open is `view_once_unavailable`, without content. A message that could not be decrypted is `undecryptable`, with `content.reason`; if its content arrives later, the message gets it under the same id. A received message can also be a tap (`button_reply`, `list_reply`), or refer to another message ' +
    '(`poll_vote`, `event_answer`, `reaction`, `edit`, `delete`, `pin`): `content.target` has the id, direction and author of that message, and ' +
    '`content.from` the person who made the change. `album` announces images and videos that are shown together: each of them has `content.album.messageId`. `disappearing` changes how long messages of the chat stay: `content.seconds`. `order` is an order from a catalogue, and `product` a product that a person shares or asks about; amounts are exact decimal numbers as text. `pix` is a key for payments in Brazil',
})
export type MessageType = z.output<typeof messageType>

export const Message = z
  .object({
    messageId: z.string(),
    instanceName: z.string().meta({ description: 'Unique API name of the instance' }),
    direction: z.enum(DIRECTIONS),
    chat: z.string().meta({
      description: 'Network identifier of the person or the group; `status@broadcast` for a status post',
    }),
    ...chatIdFields,
    type: messageType,
    status: z.enum(MESSAGE_STATUSES),
    content: z.record(z.string(), jsonValue).meta({
      description:
        'Outgoing: the fields of the send request; a reply has `quoted`. Incoming: `from`, `text`, `media`, `quoted`, `interactiveReplyId`, and ' +
        'additional fields of the type; `referral` is the advertisement that led to the message',
    }),
    failure: Failure.nullable(),
    sendAt: timestamp.nullable().meta({ description: 'When a scheduled message is due' }),
    expiresAt: timestamp.nullable().meta({ description: 'The message is not sent after this time' }),
    late: z
      .boolean()
      .meta({ description: 'A scheduled message that was due while the gateway was not running' }),
    reference: z
      .string()
      .nullable()
      .meta({ description: 'What the sender calls this send; null for a received message' }),
    starred: z.boolean().meta({ description: 'The owner of the instance has starred the message' }),
    historical: z.boolean().meta({ description: 'From a history of the phone' }),
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
        chat: '5511912345678@s.whatsapp.net',
        number: '5511912345678',
        lid: null,
        username: null,
        groupJid: null,
        type: 'text',
        status: 'queued',
        content: { message: 'Hello *there* 👋' },
        failure: null,
        sendAt: null,
        expiresAt: null,
        late: false,
        reference: null,
        starred: false,
        historical: false,
        createdAt: '2026-01-31T12:00:00.000Z',
        updatedAt: '2026-01-31T12:00:00.000Z',
        sentAt: null,
        deliveredAt: null,
        readAt: null,
      },
    ],
  })

const common = { tag: 'Messages' } as const
export const byMessageId = z.strictObject({
  messageId: plainText(1, 128).meta({ examples: ['3EB0A1B2C3D4E5F60718'] }),
})
/** Two instances of an account have the same message id if they write to each other or are in the same group. */
export const byInstance = (whenOmitted: string) =>
  z.strictObject({
    instanceName: instanceName.optional().meta({
      description: `The message of this instance, if several instances have the same message id; default: ${whenOmitted}`,
    }),
  })
export const OneMessage = z.object({ success, message: Message })

const moment = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text))

export const listMessages = endpoint({
  ...common,
  summary: 'List messages, newest first',
  openWithoutSubscription: true,
  query: withAddressFilter(
    z.strictObject({
      instanceName: instanceName.optional(),
      ...addressFields,
      chat: messageChat.optional().meta({
        description: 'Only messages of this chat, both directions; `status@broadcast` for status posts',
      }),
      status: z.enum(MESSAGE_STATUSES).optional(),
      direction: z.enum(DIRECTIONS).optional(),
      type: messageType.optional().meta({ description: 'Only messages of this type' }),
      reference: reference
        .optional()
        .meta({ description: 'Only messages that were sent with this `reference`' }),
      since: moment
        .optional()
        .meta({ description: 'Only messages from this time on', examples: ['2026-01-31T00:00:00Z'] }),
      until: moment
        .optional()
        .meta({ description: 'Only messages up to this time', examples: ['2026-01-31T23:59:59Z'] }),
      search: z
        .string()
        .min(1)
        .max(256)
        .optional()
        .meta({
          description:
            'Only messages that contain all of these words, in any order. A word of three letters or more also matches longer words ' +
            'that begin with it. Case and accents are ignored, and signs only separate words. Searched are texts and captions after ' +
            'edits, names of files, polls, places and contacts; deleted messages are not found. Of more than 2,000 matches, those that ' +
            'were stored last are listed. A message can be found about a second after it was stored.',
          examples: ['invoice january'],
        }),
      page,
      limit,
    }),
  ),
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

export const getMessage = endpoint({
  ...common,
  summary: 'Get a message and its status',
  params: byMessageId,
  query: byInstance('the sent message, otherwise the one received first'),
  answer: OneMessage,
  reasons: ['message_not_found', 'instance_not_found'],
})

const PollResults = z
  .object({
    messageId: z.string().meta({ description: 'The message with the poll' }),
    instanceName: z.string(),
    name: z.string(),
    voters: z.int().meta({ description: 'How many people have chosen at least one option' }),
    unreadable: z.int().meta({ description: 'Votes that could not be decrypted; they are not counted' }),
    options: z.array(
      z.object({
        name: z.string(),
        votes: z.int(),
        voters: z.array(z.string()).meta({ description: 'Network identifiers of the people' }),
      }),
    ),
  })
  .meta({
    id: 'PollResults',
    examples: [
      {
        messageId: '3EB0A1B2C3D4E5F60718',
        instanceName: 'support-k3v9x2ma',
        name: 'Lunch?',
        voters: 1,
        unreadable: 0,
        options: [
          { name: 'Pizza', votes: 1, voters: ['5511912345678@s.whatsapp.net'] },
          { name: 'Salad', votes: 0, voters: [] },
        ],
      },
    ],
  })

export const getPollVotes = endpoint({
  ...common,
  summary: 'Count the votes in a poll',
  description:
    'Counts the stored votes, the last one of each person. A withdrawn vote does not count. At most the latest 10,000 votes of the chat are read.',
  params: byMessageId,
  query: byInstance('the sent poll, otherwise the one received first'),
  answer: z.object({ success, poll: PollResults }),
  reasons: ['message_not_found', 'instance_not_found', 'message_not_a_poll'],
})

export const getMessageMedia = endpoint({
  ...common,
  summary: 'Download the file of a message',
  description:
    'Files of received messages are downloaded when the message arrives and kept for 14 days. Older files are requested from the network, ' +
    'which keeps them for some weeks. The file of a message that was sent through this API is requested from the network, for 8 days. Files above 100 MB are not available. An account can download 8 files at a time, 2 of them from the network; others get 429 ' +
    '`too_many_downloads`. A client that takes less than 1 MB in a minute is cut off. Content, media type and file name are untrusted.',
  params: byMessageId,
  query: byInstance('any instance that has the file'),
  answer: { file: true, contentTypes: ['*/*'], description: 'The file, with its media type' },
  reasons: [
    'message_not_found',
    'instance_not_found',
    'media_not_found',
    'refused_by_network',
    'network_timeout',
    'gateway_held',
    'too_many_downloads',
  ],
})

export const cancelMessage = endpoint({
  ...common,
  summary: 'Cancel a message that waits to be sent',
  params: byMessageId,
  query: byInstance('the waiting message'),
  answer: OneMessage,
  reasons: ['message_not_found', 'instance_not_found', 'message_not_cancellable'],
})

/** Messages that one call cancels: some seconds of work, which no proxy cuts off. */
export const MAX_CANCELED = 10_000

export const cancelMessages = endpoint({
  ...common,
  summary: 'Cancel all messages with a reference that wait to be sent',
  description:
    'Cancels each message that the call for a single one could cancel: `queued`, `scheduled` and `awaiting_approval`. Others stay as they ' +
    `are. One call cancels up to ${MAX_CANCELED} messages. If the connection is lost, repeat the call: what was cancelled stays cancelled.`,
  body: z
    .strictObject({
      reference,
      instanceName: instanceName
        .optional()
        .meta({ description: 'Only messages of this instance; default: of all instances of the account' }),
    })
    .meta({ id: 'CancelMessages', examples: [{ reference: 'campaign-2026-12' }] }),
  answer: z
    .object({
      success,
      reference: z.string(),
      canceled: z.int().meta({ description: 'Messages that this call has cancelled' }),
      sending: z.int().meta({
        description: 'Messages that are being sent, or wait for another try: too late to cancel them',
      }),
      sent: z.int().meta({ description: 'Messages that were sent, whether they have arrived or not' }),
      more: z.boolean().meta({
        description: `Whether messages are left that can be cancelled, because there were more than ${MAX_CANCELED}: call again`,
      }),
    })
    .meta({
      id: 'CanceledMessages',
      examples: [
        { success: true, reference: 'campaign-2026-12', canceled: 4800, sending: 1, sent: 199, more: false },
      ],
    }),
  reasons: ['instance_not_found'],
})
