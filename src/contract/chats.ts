// Chats: reading, presence, settings, clearing and older messages. The list is in contacts.ts.
import { z } from 'zod'
import { addressFields, withAddress } from './chat-address.ts'
import { Chat } from './contacts.ts'
import { instanceName, limit, success } from './fields.ts'
import { Message } from './messages.ts'
import { endpoint } from './route.ts'
import { DISAPPEARING_SECONDS } from './values.ts'

const common = { tag: 'Chats' } as const
/** Of every call that the network answers. */
const LIVE = [
  'instance_not_found',
  'instance_not_connected',
  'refused_by_network',
  'network_timeout',
] as const
/** A change is not repeated if its answer is lost between two nodes. */
export const CHANGING = [...LIVE, 'outcome_unknown', 'phone_keys_missing'] as const
const OneChat = z.object({ success, chat: Chat })

export const readChat = endpoint({
  tag: 'Contacts',
  summary: 'Mark a chat as read',
  description:
    'Sets the unread count to 0 and sends read receipts to the authors of unread messages, unless the owner of the number has ' +
    'turned read receipts off.',
  query: z.strictObject({ instanceName }),
  body: withAddress(
    z.strictObject({
      ...addressFields,
      viewed: z.boolean().default(false).meta({
        description:
          'The chat was only looked at, as on the dashboard: no read receipts if the instance has the setting `viewWithoutReceipts`',
      }),
    }),
  ).meta({
    id: 'ReadChat',
    examples: [{ chat: '5511912345678@s.whatsapp.net' }],
  }),
  answer: z.object({
    success,
    chat: Chat,
    receipts: z.enum(['sent', 'not_sent', 'withheld', 'none']).meta({
      description:
        '`sent`: the receipts were sent. `not_sent`: they could not be sent and will not be retried; the unread count is 0 anyway. ' +
        '`withheld`: the instance sends none for a chat that is only looked at. `none`: there were no receipts to send',
    }),
  }),
  reasons: ['instance_not_found', 'chat_not_found'],
})

export const PRESENCES = ['typing', 'recording', 'paused'] as const
export type ShownPresence = (typeof PRESENCES)[number]
export const MAX_PRESENCE_SECONDS = 120
const PRESENCE_SECONDS = 10

export const showPresence = endpoint({
  ...common,
  summary: 'Show that the instance is typing or recording in a chat',
  description:
    'Ends by itself after `seconds`, when a message is sent to the chat, and when the connection ends. A new call for the same ' +
    'chat replaces the running one; `paused` ends it.',
  live: true,
  body: withAddress(
    z.strictObject({
      instanceName,
      ...addressFields,
      presence: z.enum(PRESENCES),
      seconds: z
        .int()
        .min(1)
        .max(MAX_PRESENCE_SECONDS)
        .default(PRESENCE_SECONDS)
        .meta({ description: `For how long, 1 to ${MAX_PRESENCE_SECONDS}. Ignored for \`paused\`` }),
    }),
  ).meta({
    id: 'ShowPresence',
    examples: [
      {
        instanceName: 'support-k3v9x2ma',
        chat: '5511912345678@s.whatsapp.net',
        presence: 'typing',
        seconds: 10,
      },
    ],
  }),
  answer: z.object({ success, chat: z.string(), presence: z.enum(PRESENCES), seconds: z.int() }),
  reasons: LIVE,
})

const SETTINGS = ['archived', 'mutedUntil', 'pinned', 'unread', 'disappearingSeconds'] as const

export const updateChat = endpoint({
  ...common,
  summary: 'Change the settings of a chat; omitted fields stay unchanged',
  description:
    'Archived, muted, pinned and unread are changed on all devices of the owner, one after the other: if the network refuses one, ' +
    'those before it stay. The timer of disappearing messages is sent to a person as a message, through the queue of the chat; ' +
    '`messageId` in the answer identifies it, and the chat shows the new timer once it is sent. In a group it is the setting of ' +
    'the group.',
  live: true,
  body: withAddress(
    z.strictObject({
      instanceName,
      ...addressFields,
      archived: z.boolean().optional(),
      mutedUntil: z.iso
        .datetime({ offset: true })
        .transform((text) => Date.parse(text))
        .nullable()
        .optional()
        .meta({
          description: 'Mutes the chat until this time; null ends it',
          examples: ['2026-02-01T08:00:00Z'],
        }),
      pinned: z
        .boolean()
        .optional()
        .meta({ description: 'Pin the chat to the top of the list on the phone' }),
      unread: z.boolean().optional().meta({
        description:
          'Mark the chat as unread, or as read. Sends no read receipts: use `POST /chats/read` for them',
      }),
      disappearingSeconds: z
        .literal(DISAPPEARING_SECONDS)
        .optional()
        .meta({ description: 'How long new messages stay; 0: they do not disappear' }),
    }),
  )
    .refine((body) => SETTINGS.some((name) => body[name] !== undefined), {
      error: `expected at least one of ${SETTINGS.join(', ')}`,
    })
    .meta({
      id: 'UpdateChat',
      examples: [
        {
          instanceName: 'support-k3v9x2ma',
          chat: '5511912345678@s.whatsapp.net',
          archived: true,
          pinned: false,
        },
      ],
    }),
  answer: z.object({
    success,
    chat: Chat,
    messageId: z
      .string()
      .nullable()
      .meta({ description: 'The queued message that carries the timer; null if none was needed' }),
  }),
  reasons: [
    ...CHANGING,
    'chat_not_found',
    'not_a_group_member',
    'not_a_group_admin',
    'queue_full',
    'key_limit_reached',
  ],
})

export const clearChat = endpoint({
  ...common,
  summary: 'Delete the messages of a chat on the devices of the owner and in the gateway',
  description:
    'The other side keeps its messages. The chat stays in the list, without a last message. Messages that are not sent yet stay queued.',
  live: true,
  query: withAddress(z.strictObject({ instanceName, ...addressFields })),
  answer: OneChat,
  reasons: [...CHANGING, 'chat_not_found'],
})

const before = z
  .string()
  .min(1)
  .max(128)
  .meta({
    description: 'Only messages before this one: a message id of the chat, or a time (ISO 8601)',
    examples: ['3EB0A1B2C3D4E5F60718'],
  })

export const chatHistory = endpoint({
  ...common,
  summary: 'List older messages of a chat, and request more from the phone',
  description:
    'Answers stored messages, latest first. If there are fewer than `limit`, older ones are requested from the phone of the owner, and ' +
    '`moreComing` is true: they are stored as `historical` when the phone answers, and the next call returns them. The phone must be ' +
    'online for that.',
  query: withAddress(z.strictObject({ instanceName, ...addressFields, before: before.optional(), limit })),
  answer: z.object({
    success,
    count: z.int(),
    limit: z.int(),
    moreComing: z.boolean().meta({
      description:
        'Older messages were requested from the phone. False: the page is full, or the phone has none or cannot be reached now',
    }),
    messages: z.array(Message),
  }),
  reasons: ['instance_not_found', 'chat_not_found', 'message_not_found'],
})
