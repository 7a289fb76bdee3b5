// Bodies and queries of the calls with which a person acts on a phone.
import { z } from 'zod'
import { LABEL_COLORS, labelId } from './chat-fields.ts'
import { number as phoneNumber } from './fields.ts'
import { STATUS_CHAT } from './message-values.ts'
import { chat, media, messageId, waitMs } from './sandbox-requests.ts'

const DAY_SECONDS = 86_400
const EXAMPLE_ID = '3EB0A1B2C3D4E5F60718'

export const readChat = z
  .strictObject({
    chat: z.union([chat, z.literal(STATUS_CHAT)]),
    messageId: messageId.optional(),
    played: z.boolean().default(false),
  })
  .meta({ examples: [{ chat: '5521987654321' }] })
export const tapMessage = z
  .strictObject({
    messageId,
    buttonId: z.string().max(256).optional(),
    rowId: z.string().max(256).optional(),
  })
  .refine(
    ({ buttonId, rowId }) => (buttonId === undefined) !== (rowId === undefined),
    'must carry exactly one of buttonId, rowId',
  )
  .meta({ examples: [{ messageId: EXAMPLE_ID, buttonId: 'yes' }] })
export const votePoll = z
  .strictObject({ messageId, options: z.array(z.string().max(100)).max(12) })
  .meta({ examples: [{ messageId: EXAMPLE_ID, options: ['Monday'] }] })
export const reactTo = z
  .strictObject({ messageId, emoji: z.string().max(32) })
  .meta({ examples: [{ messageId: EXAMPLE_ID, emoji: '👍' }] })
export const typeInto = z
  .strictObject({
    chat,
    state: z.enum(['typing', 'recording', 'paused']).default('typing'),
  })
  .meta({ examples: [{ chat: '5521987654321' }] })
export const editMessage = z
  .strictObject({
    messageId,
    text: z.string().min(1).max(65_536),
    plain: z.boolean().optional().meta({
      description: 'In the form of older phones, instead of encrypted with the secret of the message',
    }),
  })
  .meta({ examples: [{ messageId: EXAMPLE_ID, text: 'Olá!' }] })
export const deleteMessage = z.strictObject({ messageId }).meta({ examples: [{ messageId: EXAMPLE_ID }] })

export const setPresence = z
  .strictObject({ available: z.boolean() })
  .meta({ examples: [{ available: false }] })
export const pinMessage = z
  .strictObject({
    messageId,
    seconds: z
      .number()
      .int()
      .min(1)
      .max(30 * DAY_SECONDS)
      .nullable()
      .meta({ description: 'How long the message stays pinned; null unpins it' }),
  })
  .meta({ examples: [{ messageId: EXAMPLE_ID, seconds: 7 * DAY_SECONDS }] })
export const forwardMessage = z
  .strictObject({ messageId, to: chat })
  .meta({ examples: [{ messageId: EXAMPLE_ID, to: '5521987654321' }] })
export const expireMedia = z.strictObject({ messageId }).meta({ examples: [{ messageId: EXAMPLE_ID }] })
export const starMessage = z
  .strictObject({ messageId, starred: z.boolean() })
  .meta({ examples: [{ messageId: EXAMPLE_ID, starred: true }] })
export const changeChat = z
  .strictObject({
    chat,
    archived: z.boolean().optional(),
    pinned: z.boolean().optional(),
    mutedUntil: z
      .number()
      .int()
      .min(1)
      .max(8_640_000_000_000_000)
      .nullable()
      .optional()
      .meta({ description: 'Unix milliseconds; null ends it' }),
    unread: z.boolean().optional(),
  })
  .meta({ examples: [{ chat: '5521987654321', archived: true }] })
export const saveLabel = z
  .strictObject({
    labelId: labelId.optional().meta({ description: 'The label to change; absent: a new one' }),
    name: z.string().min(1).max(100),
    color: z
      .int()
      .min(0)
      .max(LABEL_COLORS - 1)
      .default(0),
  })
  .meta({ examples: [{ name: 'Follow up', color: 5 }] })
export const deleteLabel = z.strictObject({ labelId })
export const labelChat = z
  .strictObject({ chat, labelId, labeled: z.boolean().default(true) })
  .meta({ examples: [{ chat: '5521987654321', labelId: '1' }] })
export const clearChat = z
  .strictObject({ chat, keepStarred: z.boolean().default(false) })
  .meta({ examples: [{ chat: '5521987654321' }] })
export const deleteChat = z.strictObject({ chat })
export const setDisappearing = z
  .strictObject({
    chat,
    seconds: z
      .union([z.literal(0), z.literal(DAY_SECONDS), z.literal(7 * DAY_SECONDS), z.literal(90 * DAY_SECONDS)])
      .meta({ description: 'One, seven or ninety days; 0 switches it off' }),
  })
  .meta({ examples: [{ chat: '5521987654321', seconds: DAY_SECONDS }] })

export const postStatus = z
  .strictObject({
    text: z.string().min(1).max(700).optional(),
    backgroundColor: z
      .string()
      .regex(/^#[0-9a-f]{6}$/i, 'must be a colour such as #1f6f54')
      .default('#1f6f54'),
    media: media.optional(),
    to: z
      .array(phoneNumber)
      .min(1)
      .max(1024)
      .optional()
      .meta({ description: 'The people who get it; by default everyone in the address book' }),
  })
  .refine(
    ({ text, media: file }) => (text === undefined) !== (file === undefined),
    'must carry exactly one of text, media',
  )
  .meta({ examples: [{ text: 'On the beach' }] })

const callId = z.string().min(1).max(128)
const callStatus = z.enum(['ringing', 'answered', 'rejected', 'missed', 'ended'])
export const placeCall = z
  .strictObject({ to: phoneNumber, video: z.boolean().default(false) })
  .meta({ examples: [{ to: '5521987654321' }] })
export const namedCall = z.strictObject({ callId }).meta({ examples: [{ callId: 'A1B2C3D4E5F60718' }] })
export const listCalls = z.strictObject({
  callId: callId.optional(),
  status: callStatus.optional(),
  waitMs,
})
