// Changes of a message: reaction, edit, delete, forward, pin. They are sent like messages, in the order of their chat. A star is
// seen by the owner only, and is not sent to the chat.
import { z } from 'zod'
import { instanceName, plainText, success } from './fields.ts'
import { PIN_SECONDS } from './message-values.ts'
import { Message } from './messages.ts'
import type { Reason } from './reasons.ts'
import { endpoint } from './route.ts'
import { forwardBody } from './send-fields.ts'
import { REFUSALS, SendAnswer } from './sending.ts'

const params = z.strictObject({
  messageId: plainText(1, 128).meta({ examples: ['3EB0A1B2C3D4E5F60718'] }),
})
const selected = instanceName.optional().meta({
  description: 'The instance that has the message; required if several instances have a message with this id',
})

const EMOJI = /^(\p{RGI_Emoji}|\p{Extended_Pictographic})$/v

const OF_ACTIONS: readonly Reason[] = [
  ...REFUSALS,
  'message_not_found',
  'message_on_several_instances',
  'message_not_sent',
  'message_deleted',
]

const common = {
  tag: 'Messages',
  live: true,
  idempotent: true,
  waits: true,
  params,
  answer: SendAnswer,
} as const

export const reactToMessage = endpoint({
  ...common,
  summary: 'React to a message, or withdraw the reaction',
  body: z
    .strictObject({
      instanceName: selected,
      emoji: z
        .string()
        .max(64)
        .refine((text) => EMOJI.test(text), { error: 'expected one emoji' })
        .nullable()
        .meta({ description: 'One emoji; null withdraws the reaction', examples: ['👍'] }),
    })
    .meta({ id: 'React', examples: [{ emoji: '👍' }] }),
  reasons: [...OF_ACTIONS, 'message_is_status'],
})

export const editMessage = endpoint({
  ...common,
  summary: 'Edit the text or caption of a sent message',
  description: 'Possible for 15 minutes after the message was accepted, because phones ignore a later edit.',
  body: z
    .strictObject({
      instanceName: selected,
      message: z.string().min(1).max(65_536).meta({ description: 'The new text or caption' }),
    })
    .meta({ id: 'Edit', examples: [{ message: 'Hello *everyone* 👋' }] }),
  reasons: [...OF_ACTIONS, 'message_is_status', 'message_not_editable'],
})

export const deleteMessage = endpoint({
  ...common,
  summary: 'Delete a message for everyone',
  description:
    'A message that you sent, for 60 hours after it was accepted, because phones ignore a later deletion; if the instance is an ' +
    'admin of the group, any message. A status that was posted through this API for 24 hours.',
  query: z.strictObject({ instanceName: selected }),
  reasons: [...OF_ACTIONS, 'message_not_deletable'],
})

export const forwardMessage = endpoint({
  ...common,
  summary: 'Forward a message to another chat of the instance',
  body: forwardBody({ instanceName: selected }).meta({
    id: 'Forward',
    examples: [{ number: '5511912345678' }],
  }),
  reasons: [...OF_ACTIONS, 'message_not_forwardable', 'limit_reached', 'upload_space_full'],
})

export const pinMessage = endpoint({
  ...common,
  summary: 'Pin a message in its chat for everyone, or remove the pin',
  body: z
    .strictObject({
      instanceName: selected,
      seconds: z
        .union([z.literal(PIN_SECONDS.day), z.literal(PIN_SECONDS.week), z.literal(PIN_SECONDS.month)], {
          error: 'expected 86400, 604800 or 2592000 (1, 7 or 30 days)',
        })
        .nullable()
        .meta({ description: 'For how long; null removes the pin', examples: [604_800] }),
    })
    .meta({ id: 'Pin', examples: [{ seconds: 604_800 }] }),
  reasons: [...OF_ACTIONS, 'message_is_status'],
})

/** Of changes that go to the network at once. */
const OF_LIVE_CHANGES = [
  'instance_not_found',
  'instance_not_connected',
  'refused_by_network',
  'network_timeout',
  'message_not_found',
  'message_on_several_instances',
  'message_not_sent',
] as const

export const starMessage = endpoint({
  tag: 'Messages',
  summary: 'Star a message on the devices of the owner, or remove the star',
  description:
    'The request is sent to the network at once, so the instance must be `open`. The other side does not see stars.',
  live: true,
  params,
  body: z
    .strictObject({ instanceName: selected, starred: z.boolean() })
    .meta({ id: 'Star', examples: [{ starred: true }] }),
  answer: z.object({ success, message: Message }),
  reasons: [...OF_LIVE_CHANGES, 'outcome_unknown', 'phone_keys_missing'],
})

export const markPlayed = endpoint({
  tag: 'Messages',
  summary: 'Mark a received voice message as played',
  description:
    'Sends a receipt, which shows the sender a blue microphone, if the privacy settings of the account allow it. The message also counts ' +
    'as read. The request is sent to the network at once, so the instance must be `open`. A repeated call sends no second receipt.',
  live: true,
  params,
  body: z.strictObject({ instanceName: selected }).meta({ id: 'MarkPlayed', examples: [{}] }),
  answer: z.object({ success, message: Message }),
  reasons: [...OF_LIVE_CHANGES, 'message_not_playable'],
})
