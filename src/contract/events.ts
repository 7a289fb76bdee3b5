// Events: their names and what each carries (spec 6, decisions 8). Payloads are versioned with the API.
import { z } from 'zod'
import { InstanceReference, instanceName, jsonValue, success, timestamp } from './fields.ts'
import { CONNECTION_STATES, STATE_REASONS } from './instances.ts'
import { DIRECTIONS, messageType } from './messages.ts'
import { route } from './route.ts'
import { Failure, MESSAGE_STATUSES } from './sending.ts'

export const EVENT_NAMES = [
  'messages.upsert',
  'messages.update',
  'contacts.update',
  'chats.update',
  'qrcode.updated',
  'connection.update',
] as const
export type EventName = (typeof EVENT_NAMES)[number]

export const Person = z
  .object({
    jid: z.string().meta({ description: 'Network identifier, by phone number wherever it is known' }),
    lid: z.string().nullable().meta({ description: "The network's hidden identifier" }),
    phone: z.string().nullable().meta({ description: 'Digits with country code' }),
    pushName: z.string().nullable(),
  })
  .meta({ id: 'Person' })

const Media = z
  .object({
    kind: z.enum(['image', 'video', 'document', 'audio', 'sticker']),
    mimetype: z.string(),
    fileName: z.string().nullable(),
    sizeBytes: z.int().nullable(),
    seconds: z.number().nullable(),
    width: z.int().nullable(),
    height: z.int().nullable(),
    sha256: z.string().nullable().meta({ description: 'Of the file itself, in hex' }),
    downloadPath: z
      .string()
      .nullable()
      .meta({ description: 'Where to fetch the file, below the base address; null where it cannot be had' }),
  })
  .meta({ id: 'MediaDescriptor' })

const MessageUpsert = z
  .object({
    messageId: z.string(),
    chat: z.string().meta({ description: 'Network identifier of the chat' }),
    direction: z.enum(DIRECTIONS),
    from: Person,
    type: messageType,
    text: z.string().nullable().meta({ description: 'Text or caption' }),
    media: Media.nullable(),
    quoted: z
      .object({
        messageId: z.string(),
        text: z.string().nullable(),
        participant: z.string().nullable().meta({ description: 'Who wrote the quoted message' }),
      })
      .nullable(),
    interactiveReplyId: z
      .string()
      .nullable()
      .meta({ description: 'The id of the button or row that was tapped' }),
    content: z.record(z.string(), jsonValue).meta({ description: 'What else the kind carries' }),
    status: z.enum(MESSAGE_STATUSES).nullable(),
    sentAt: timestamp,
  })
  .meta({ id: 'MessagesUpsertEvent' })

const MessageUpdate = z
  .object({
    messageId: z.string(),
    chat: z.string(),
    status: z.enum(MESSAGE_STATUSES),
    failure: Failure.nullable(),
    at: timestamp,
  })
  .meta({ id: 'MessagesUpdateEvent' })

const ContactUpdate = z
  .object({ contactId: z.int().nullable(), person: Person, name: z.string().nullable() })
  .meta({ id: 'ContactsUpdateEvent' })

const ChatUpdate = z
  .object({
    chat: z.string(),
    name: z.string().nullable(),
    unreadCount: z.int(),
    lastMessageText: z.string().nullable(),
    lastMessageTimestamp: timestamp.nullable(),
  })
  .meta({ id: 'ChatsUpdateEvent' })

const QrUpdate = z
  .object({
    imagePath: z
      .string()
      .nullable()
      .meta({
        description:
          'Where the code to scan is to be had as an image, below the base address. The code itself holds a secret of the login ' +
          'and is in no event',
      }),
    pairingCode: z.string().nullable().meta({ description: 'The code to type, where one was asked for' }),
    expiresAt: timestamp.nullable().meta({ description: 'Of the code to scan' }),
  })
  .meta({ id: 'QrcodeUpdatedEvent' })

const ConnectionUpdate = z
  .object({
    state: z.enum(CONNECTION_STATES),
    stateReason: z.enum(STATE_REASONS).nullable(),
    number: z.string().nullable(),
  })
  .meta({ id: 'ConnectionUpdateEvent' })

export const EVENT_DATA = {
  'messages.upsert': MessageUpsert,
  'messages.update': MessageUpdate,
  'contacts.update': ContactUpdate,
  'chats.update': ChatUpdate,
  'qrcode.updated': QrUpdate,
  'connection.update': ConnectionUpdate,
} as const satisfies Record<EventName, z.ZodType>

export type EventData<N extends EventName> = z.output<(typeof EVENT_DATA)[N]>

/** The body of a delivery. */
export const eventBody = (event: EventName) =>
  z.object({
    id: z.string().meta({ description: 'The same on every try; drop what you have seen' }),
    event: z.literal(event),
    timestamp,
    sequence: z.int().meta({ description: 'Counts up per instance without gaps' }),
    instance: InstanceReference,
    data: EVENT_DATA[event],
  })

/** Headers of every delivery. */
export const DELIVERY_HEADERS = {
  'X-Service-Event': 'The name of the event',
  'X-Service-Timestamp': 'Unix seconds of this attempt, part of the signed string',
  'X-Service-Signature': 'HMAC-SHA256 over `<timestamp>.<raw body>` with the whole secret, lower-case hex',
  'X-Service-Webhook-Id': 'The id of the webhook',
  'webhook-id': 'The id of the event, the same on every try (Standard Webhooks)',
  'webhook-timestamp': 'The same as `X-Service-Timestamp` (Standard Webhooks)',
  'webhook-signature': 'One `v1,<base64>` for each secret that signs (Standard Webhooks)',
} as const

/** Any event, as the log and the stream give it: the body of a delivery. */
export const Event = z
  .discriminatedUnion('event', [
    eventBody('messages.upsert'),
    eventBody('messages.update'),
    eventBody('contacts.update'),
    eventBody('chats.update'),
    eventBody('qrcode.updated'),
    eventBody('connection.update'),
  ])
  .meta({ id: 'Event' })
export type Event = z.output<typeof Event>

/** The name of an event among all: `evt_`, the account, and the event's place in the account's log. */
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
  .refine((text) => EVENT_ID.test(text) || SEQUENCE.test(text), 'expected the id of an event or a sequence')
  .meta({
    description: 'The last event that is known: its id, or its sequence where `instanceName` is given',
    examples: ['evt_1_42'],
  })

/** What `before` takes for the end of the log. */
export const LOG_END = 'end'
const before = z
  .string()
  .refine((text) => EVENT_ID.test(text) || text === LOG_END, 'expected the id of an event or `end`')
  .meta({
    description:
      'Reads backwards, newest first: the events before this one, or the last of all with `end`. Not together with `after`',
    examples: ['end'],
  })

const filter = { instanceName: instanceName.optional(), events: names.optional() }
const common = { area: 'api', tag: 'Events', scopes: ['webhooks'] } as const

export const listEvents = route({
  ...common,
  id: 'listEvents',
  method: 'GET',
  path: '/events',
  summary: 'Read the event log from a cursor, oldest first, or backwards from its end',
  description:
    'Events are kept for 14 days. Go on with `next` as `after`, until `hasMore` is false and later. Backwards, go on with ' +
    '`next` as `before`. `events` leaves others out of a page, which may then hold few or none: `next` has moved past them.',
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
      .meta({ description: 'The cursor after these events; null: there is none yet' }),
    events: z.array(Event),
  }),
  reasons: ['instance_not_found'],
})

export const streamEvents = route({
  ...common,
  id: 'streamEvents',
  method: 'GET',
  path: '/events/stream',
  summary: 'Follow the event log as server-sent events',
  description:
    'Each message carries the id and the name of its event, and as data the body that a webhook would get. With ' +
    '`Last-Event-ID` (browsers send it by themselves) or `after` it goes on behind that event, else it begins now.',
  query: z.strictObject({ ...filter, after: after.optional() }),
  answer: {
    stream: true,
    contentTypes: ['text/event-stream'],
    description: 'Events, until the caller hangs up',
  },
  reasons: ['instance_not_found'],
})
