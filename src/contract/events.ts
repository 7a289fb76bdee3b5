// Events: names, payloads, and the endpoints that read the event log. Payloads are versioned with the API.
import { z } from 'zod'
import { Call } from './calls.ts'
import { chatName, chatSettingFields, eventChatIds, Person } from './chat-fields.ts'
import { eventCut } from './event-cut.ts'
import { InstanceReference, instanceName, jsonValue, success, timestamp } from './fields.ts'
import { GroupParticipantsUpdate, GroupUpdate, GroupUpsert } from './group-events.ts'
import { CONNECTION_STATES, STATE_REASONS } from './instances.ts'
import { LabelAssociation, LabelUpdate } from './label-events.ts'
import { DIRECTIONS, messageType } from './messages.ts'
import { PASSKEY_RESULTS, PASSKEY_STEPS } from './passkey.ts'
import { PresenceUpdate } from './people.ts'
import { endpoint } from './route.ts'
import { Failure, MESSAGE_STATUSES } from './sending.ts'

export const EVENT_NAMES = [
  'messages.upsert',
  'messages.update',
  'messages.edited',
  'messages.deleted',
  'messages.reaction',
  'messages.set_aside',
  'contacts.update',
  'contacts.merged',
  'chats.update',
  'labels.update',
  'labels.association',
  'qrcode.updated',
  'passkey.updated',
  'connection.update',
  'groups.upsert',
  'groups.update',
  'group-participants.update',
  'call',
  'presence.update',
] as const
export type EventName = (typeof EVENT_NAMES)[number]

const Media = z
  .object({
    kind: z.enum(['image', 'video', 'document', 'audio', 'sticker']),
    mimetype: z.string(),
    fileName: z.string().nullable(),
    sizeBytes: z.int().nullable(),
    seconds: z.number().nullable(),
    width: z.int().nullable(),
    height: z.int().nullable(),
    sha256: z.string().nullable().meta({ description: 'SHA-256 of the file, in hex' }),
    downloadPath: z
      .string()
      .nullable()
      .meta({ description: 'Path of the file on this gateway; null if the file is not available' }),
  })
  .meta({ id: 'MediaDescriptor' })

export const ChangeTarget = z
  .object({
    messageId: z.string(),
    direction: z
      .enum(DIRECTIONS)
      .nullable()
      .meta({ description: 'Tells a sent and a received message with the same id apart' }),
    author: z.string().nullable().meta({ description: 'Network identifier of the author of that message' }),
  })
  .meta({
    id: 'ChangeTarget',
    description:
      'The message in the same chat that an edit, delete, reaction or vote refers to. `from` is the person who made the change. ' +
      '`direction` and `author` are null if a reaction or vote refers to an unknown message. Edits are accepted only from the ' +
      'author, deletes from the author or a group admin; others are dropped',
    examples: [
      { messageId: '3EB0A1B2C3D4E5F60718', direction: 'incoming', author: '5511912345678@s.whatsapp.net' },
    ],
  })

const MessageUpsert = z
  .object({
    messageId: z.string(),
    chat: chatName,
    ...eventChatIds,
    direction: z.enum(DIRECTIONS),
    from: Person,
    type: messageType,
    text: z.string().nullable().meta({ description: 'Text or caption' }),
    media: Media.nullable(),
    quoted: z
      .object({
        messageId: z.string(),
        text: z.string().nullable(),
        participant: z.string().nullable().meta({ description: 'Author of the quoted message' }),
      })
      .nullable(),
    interactiveReplyId: z.string().nullable().meta({ description: 'Id of the tapped button or list row' }),
    target: ChangeTarget.nullish().meta({
      description:
        'The message that an `edit`, `delete`, `reaction`, `poll_vote` or `event_answer` refers to; null for other types',
    }),
    content: z.record(z.string(), jsonValue).meta({ description: 'Additional fields of the type' }),
    status: z.enum(MESSAGE_STATUSES).nullable(),
    sentAt: timestamp,
    sendAt: timestamp.nullish().meta({ description: 'When a scheduled message is due' }),
    reference: z
      .string()
      .nullish()
      .meta({ description: 'What the sender calls this send; absent for received messages' }),
    historical: z
      .boolean()
      .optional()
      .meta({ description: 'From a history of the phone, not a new message' }),
    ...eventCut,
  })
  .meta({ id: 'MessagesUpsertEvent' })

const MessageUpdate = z
  .object({
    messageId: z.string(),
    chat: chatName,
    ...eventChatIds,
    status: z.enum(MESSAGE_STATUSES),
    failure: Failure.nullable(),
    text: z.string().nullable().optional().meta({
      description:
        'Only if a person has edited the message while approving it: the new text, null for a removed caption',
    }),
    content: z
      .record(z.string(), jsonValue)
      .optional()
      .meta({ description: 'Only together with `text`: the content of the message after the edit' }),
    at: timestamp,
    ...eventCut,
  })
  .meta({ id: 'MessagesUpdateEvent' })

/** Fields of every change of a message. `messages.upsert` reports the same change as a message. */
const change = {
  messageId: z.string().meta({ description: 'Id of the change itself' }),
  chat: chatName,
  ...eventChatIds,
  direction: z.enum(DIRECTIONS),
  from: Person.meta({ description: 'The person who made the change' }),
  target: ChangeTarget,
  at: timestamp,
  ...eventCut,
}

const MessageEdited = z
  .object({ ...change, text: z.string().nullable().meta({ description: 'The new text or caption' }) })
  .meta({ id: 'MessagesEditedEvent' })

const MessageDeleted = z
  .object({ ...change, deletedBy: z.enum(['author', 'admin']).nullable() })
  .meta({ id: 'MessagesDeletedEvent' })

const MessageReaction = z
  .object({
    ...change,
    emoji: z.string().nullable().meta({ description: 'Null: the reaction was withdrawn' }),
  })
  .meta({ id: 'MessagesReactionEvent' })

export const SET_ASIDE_KINDS = ['message', 'notice', 'key'] as const
export const SET_ASIDE_REASONS = ['ended_process', 'refused_by_store', 'malformed'] as const

const MessageSetAside = z
  .object({
    what: z.enum(SET_ASIDE_KINDS).meta({
      description:
        '`message`, `notice` (such as a receipt or a change of a group) or `key` (an encryption key)',
    }),
    reason: z.enum(SET_ASIDE_REASONS).meta({
      description:
        '`ended_process`: the process ended twice while it handled this. `refused_by_store`: the database does not take it. ' +
        '`malformed`: an identifier is too long or contains a NUL',
    }),
    messageId: z.string().nullable(),
    chat: z.string().nullable().meta({ description: 'Network identifier of the chat, if known' }),
    ...eventChatIds,
    at: timestamp,
  })
  .meta({
    id: 'MessagesSetAsideEvent',
    description:
      'Something that the network delivered was not processed. It is kept for 30 days and was acknowledged to the network',
  })

const ContactUpdate = z
  .object({
    contactId: z.int().nullable(),
    chat: chatName.optional(),
    ...eventChatIds,
    person: Person,
    name: z.string().nullable(),
  })
  .meta({ id: 'ContactsUpdateEvent' })

const ContactsMerged = z
  .object({
    chat: chatName,
    ...eventChatIds,
    mergedChat: z.string().meta({ description: 'The chat of the lid, which no longer exists' }),
    person: Person,
    contactId: z.int().nullable().meta({ description: 'Id of the saved contact; null if there is none' }),
    removedContactId: z
      .int()
      .nullable()
      .meta({ description: 'The contact of the lid, if the number was saved as a contact as well' }),
  })
  .meta({
    id: 'ContactsMergedEvent',
    description:
      'A person who was known by lid only has shown the number. Messages, settings, unread count and contact of both chats are those ' +
      'of `chat` from now on',
  })

const ChatUpdate = z
  .object({
    chat: chatName,
    ...eventChatIds,
    name: z.string().nullable(),
    unreadCount: z.int(),
    lastMessageText: z.string().nullable(),
    lastMessageTimestamp: timestamp.nullable(),
    ...z.object(chatSettingFields).partial().shape,
    ...eventCut,
  })
  .meta({ id: 'ChatsUpdateEvent' })

const QrUpdate = z
  .object({
    imagePath: z.string().nullable().meta({
      description:
        'Path of the QR code image on this gateway. Events do not contain the code itself, because it holds a login secret',
    }),
    pairingCode: z.string().nullable().meta({ description: 'The pairing code, if one was requested' }),
    expiresAt: timestamp.nullable().meta({ description: 'When the QR code expires' }),
  })
  .meta({ id: 'QrcodeUpdatedEvent' })

const PasskeyUpdate = z
  .object({
    step: z.enum([...PASSKEY_STEPS, 'ended']).meta({
      description:
        'What linking waits for. `assertion_needed`: the owner must use the passkey. `confirmation_needed`: the owner must compare ' +
        'the code. `ended`: see `result`. Events do not contain the challenge',
    }),
    code: z.string().nullable().meta({ description: 'The code to compare with the one on the phone' }),
    expiresAt: timestamp.nullable().meta({ description: 'When the step expires' }),
    result: z.enum(PASSKEY_RESULTS).nullable().meta({ description: 'How linking ended' }),
  })
  .meta({ id: 'PasskeyUpdatedEvent' })

const ConnectionUpdate = z
  .object({
    state: z.enum(CONNECTION_STATES),
    stateReason: z.enum(STATE_REASONS).nullable(),
    stateReasonUntil: timestamp.nullable().meta({ description: 'When the reason ends, if known' }),
    number: z.string().nullable(),
  })
  .meta({ id: 'ConnectionUpdateEvent' })

export const EVENT_DATA = {
  'messages.upsert': MessageUpsert,
  'messages.update': MessageUpdate,
  'messages.edited': MessageEdited,
  'messages.deleted': MessageDeleted,
  'messages.reaction': MessageReaction,
  'messages.set_aside': MessageSetAside,
  'contacts.update': ContactUpdate,
  'contacts.merged': ContactsMerged,
  'chats.update': ChatUpdate,
  'labels.update': LabelUpdate,
  'labels.association': LabelAssociation,
  'qrcode.updated': QrUpdate,
  'passkey.updated': PasskeyUpdate,
  'connection.update': ConnectionUpdate,
  'groups.upsert': GroupUpsert,
  'groups.update': GroupUpdate,
  'group-participants.update': GroupParticipantsUpdate,
  call: Call,
  'presence.update': PresenceUpdate,
} as const satisfies Record<EventName, z.ZodType>

export type EventData<N extends EventName> = z.output<(typeof EVENT_DATA)[N]>

/** The body of a delivery. */
export const eventBody = (event: EventName) =>
  z.object({
    id: z.string().meta({ description: 'The same on every attempt: use it to ignore duplicates' }),
    event: z.literal(event),
    timestamp,
    sequence: z.int().meta({ description: 'Increases by 1 per event of the instance, without gaps' }),
    instance: InstanceReference,
    data: EVENT_DATA[event],
  })

/** Headers of every delivery. */
export const DELIVERY_HEADERS = {
  'X-Service-Event': 'Name of the event; `batch` for a webhook with `batch`',
  'X-Service-Timestamp': 'Unix time of this attempt in seconds; part of the signed string',
  'X-Service-Signature': 'HMAC-SHA256 of `<timestamp>.<raw body>` with the whole secret, in lower-case hex',
  'X-Service-Webhook-Id': 'Id of the webhook',
  'webhook-id':
    'Id of the event, the same on every attempt; of a batch, the same only for the same events (Standard Webhooks)',
  'webhook-timestamp': 'The same as `X-Service-Timestamp` (Standard Webhooks)',
  'webhook-signature': 'One `v1,<base64>` per signing secret (Standard Webhooks)',
} as const

/** Any event. The log, the stream and deliveries use the same form. */
export const Event = z
  .discriminatedUnion('event', [
    eventBody('messages.upsert'),
    eventBody('messages.update'),
    eventBody('messages.edited'),
    eventBody('messages.deleted'),
    eventBody('messages.reaction'),
    eventBody('messages.set_aside'),
    eventBody('contacts.update'),
    eventBody('contacts.merged'),
    eventBody('chats.update'),
    eventBody('labels.update'),
    eventBody('labels.association'),
    eventBody('qrcode.updated'),
    eventBody('passkey.updated'),
    eventBody('connection.update'),
    eventBody('groups.upsert'),
    eventBody('groups.update'),
    eventBody('group-participants.update'),
    eventBody('call'),
    eventBody('presence.update'),
  ])
  .meta({ id: 'Event' })
export type Event = z.output<typeof Event>

/** `evt_`, the account id, and the event's position in the account's log. */
export const EVENT_ID = /^evt_(\d{1,15})_(\d{1,15})$/
const SEQUENCE = /^\d{1,15}$/

const names = z
  .string()
  .transform((text) => text.split(','))
  .pipe(z.array(z.enum(EVENT_NAMES)).min(1))
  .meta({
    description: 'Only these events, separated by commas',
    examples: ['messages.upsert,messages.update'],
  })

const after = z
  .string()
  .refine((text) => EVENT_ID.test(text) || SEQUENCE.test(text), 'expected an event id or a sequence number')
  .meta({
    description: 'Only events after this one: an event id, or a sequence number together with `instanceName`',
    examples: ['evt_1_42'],
  })

/** Value of `before` for the end of the log. */
export const LOG_END = 'end'
const before = z
  .string()
  .refine((text) => EVENT_ID.test(text) || text === LOG_END, 'expected an event id or `end`')
  .meta({
    description:
      'Reads backwards, newest first: events before this id, or the newest events with `end`. Not together with `after`',
    examples: ['end'],
  })

const filter = { instanceName: instanceName.optional(), events: names.optional() }
const common = { tag: 'Events' } as const

export const listEvents = endpoint({
  ...common,
  summary: 'Read the event log from a cursor, oldest first, or backwards from its end',
  description:
    'Events are kept for 14 days. To read on, pass `next` as `after`, or as `before` when reading backwards. When `hasMore` is ' +
    'false, the same cursor returns later events. With `events`, a page may be empty: `next` still moves past the skipped events.',
  openWithoutSubscription: true,
  query: z.strictObject({
    ...filter,
    after: after.optional(),
    before: before.optional(),
    limit: z.coerce.number().int().min(1).max(500).default(100),
  }),
  answer: z.object({
    success,
    count: z.int(),
    hasMore: z.boolean(),
    next: z
      .string()
      .nullable()
      .meta({ description: 'Cursor for the next page; null if there are no events yet' }),
    events: z.array(Event),
  }),
  reasons: ['instance_not_found'],
})

export const streamEvents = endpoint({
  ...common,
  summary: 'Follow the event log as server-sent events',
  description:
    'Each message has the id and name of an event, and the body of a webhook delivery as data. With `Last-Event-ID` (browsers ' +
    'send it when they reconnect) or `after`, the stream continues after that event; otherwise it starts with new events.',
  query: z.strictObject({ ...filter, after: after.optional() }),
  answer: {
    stream: true,
    contentTypes: ['text/event-stream'],
    description: 'Events, until the client disconnects',
  },
  reasons: ['instance_not_found'],
})
