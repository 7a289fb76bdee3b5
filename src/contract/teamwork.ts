// What the people of an account share when they answer chats: who they are, who answers which chat, and texts that they send often.
import { z } from 'zod'
import { addressFields, withAddress } from './chat-address.ts'
import { Chat } from './contacts.ts'
import { instanceName, limit, page, pathId, success, timestamp } from './fields.ts'
import { endpoint } from './route.ts'
import { MAX_QUICK_REPLIES, MAX_QUICK_REPLY_LENGTH, SHORTCUT } from './values.ts'

const common = { tag: 'Team' } as const

const TeamMember = z
  .object({ id: z.int(), name: z.string() })
  .meta({ id: 'TeamMember', examples: [{ id: 3, name: 'Ana Souza' }] })

export const listUsers = endpoint({
  ...common,
  summary: 'List the users of the account, to whom chats can be assigned',
  description: 'The operator manages them (`/admin/v1/accounts/{id}/users`).',
  openWithoutSubscription: true,
  query: z.strictObject({ page, limit }),
  answer: z.object({
    success,
    count: z.int(),
    page: z.int(),
    limit: z.int(),
    hasMore: z.boolean(),
    users: z.array(TeamMember),
  }),
  reasons: [],
})

export const assignChat = endpoint({
  ...common,
  summary: 'Assign a chat to a user of the account',
  description:
    'Works offline; the network and the other side of the chat are not told. A change is an event `chats.update`. If the user ' +
    'is deleted, the chat is assigned to none, without an event.',
  body: withAddress(
    z.strictObject({
      instanceName,
      ...addressFields,
      userId: z
        .int()
        .positive()
        .nullable()
        .meta({ description: 'Id of the user (`GET /users`); null: the chat is assigned to none' }),
    }),
  ).meta({
    id: 'AssignChat',
    examples: [{ instanceName: 'support-k3v9x2ma', chat: '5511912345678@s.whatsapp.net', userId: 3 }],
  }),
  answer: z.object({ success, chat: Chat }),
  reasons: ['instance_not_found', 'chat_not_found', 'user_not_found'],
})

const QuickReply = z
  .object({
    id: z.int(),
    shortcut: z.string().meta({ description: 'In lower case' }),
    text: z.string(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({
    id: 'QuickReply',
    examples: [
      {
        id: 4,
        shortcut: 'hours',
        text: 'We are open from 9 to 18, Monday to Friday.',
        createdAt: '2026-01-31T12:00:00.000Z',
        updatedAt: '2026-01-31T12:00:00.000Z',
      },
    ],
  })

const shortcut = z
  .string()
  // Not as a pattern of the document: it needs Unicode classes, which not every validator knows.
  .refine((text) => SHORTCUT.test(text), {
    error: 'expected 1 to 32 letters, digits, - or _, without a slash',
  })
  .transform((text) => text.toLowerCase())
  .pipe(z.string())
  .meta({
    description: 'What a person types after a slash to find the text. Letters are stored in lower case',
    examples: ['hours'],
  })
const text = z
  .string()
  .min(1)
  .max(MAX_QUICK_REPLY_LENGTH)
  .refine((value) => value.trim() !== '', { error: 'must not be blank' })

const OneQuickReply = z.object({ success, quickReply: QuickReply })
const byId = z.strictObject({ id: pathId })

export const listQuickReplies = endpoint({
  ...common,
  summary: 'List the quick replies of the account, sorted by shortcut',
  description: `All of them: an account has at most ${MAX_QUICK_REPLIES}. They are texts for people to send; the gateway sends none of them by itself.`,
  openWithoutSubscription: true,
  answer: z.object({ success, count: z.int(), quickReplies: z.array(QuickReply) }),
  reasons: [],
})

export const createQuickReply = endpoint({
  ...common,
  summary: 'Create a quick reply',
  body: z.strictObject({ shortcut, text }).meta({
    id: 'CreateQuickReply',
    examples: [{ shortcut: 'hours', text: 'We are open from 9 to 18, Monday to Friday.' }],
  }),
  answer: OneQuickReply,
  reasons: ['quick_reply_exists', 'quick_replies_full'],
})

export const updateQuickReply = endpoint({
  ...common,
  summary: 'Change a quick reply; omitted fields stay unchanged',
  params: byId,
  body: z
    .strictObject({ shortcut: shortcut.optional(), text: text.optional() })
    .refine((body) => body.shortcut !== undefined || body.text !== undefined, {
      error: 'expected at least one of shortcut, text',
    })
    .meta({ id: 'UpdateQuickReply', examples: [{ text: 'We are open from 8 to 18.' }] }),
  answer: OneQuickReply,
  reasons: ['quick_reply_not_found', 'quick_reply_exists'],
})

export const deleteQuickReply = endpoint({
  ...common,
  summary: 'Delete a quick reply',
  params: byId,
  answer: z.object({ success, id: z.int() }),
  reasons: ['quick_reply_not_found'],
})
