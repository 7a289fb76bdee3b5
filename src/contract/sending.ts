// Sending: the send endpoints, and the statuses and failures of a message.
import { z } from 'zod'
import { AlbumBody } from './album-body.ts'
import { ContactBody } from './contact-body.ts'
import { EventSendBody } from './event-send-body.ts'
import { success, timestamp } from './fields.ts'
import * as bodies from './message-bodies.ts'
import { ACTION_KINDS, MESSAGE_KINDS, MESSAGE_STATUSES } from './message-values.ts'
import type { Reason } from './reasons.ts'
import { endpoint } from './route.ts'
import { StatusBody } from './status-body.ts'
import { StickerBody } from './sticker-body.ts'

export {
  ACTION_KINDS,
  type ActionKind,
  MESSAGE_KINDS,
  MESSAGE_STATUSES,
  type MessageKind,
  type MessageStatus,
  type OutgoingKind,
} from './message-values.ts'

export const FAILURE_REASONS = [
  'number_not_on_network',
  'not_a_group_member',
  'rejected_by_network',
  'account_restricted',
  'media_unavailable',
  'media_too_large',
  'expired',
  'canceled',
  'rejected',
  'instance_deleted',
  'logged_out',
  'target_not_sent',
  'target_deleted',
  'no_recipients',
  'internal',
] as const
export type FailureReason = (typeof FAILURE_REASONS)[number]

export const Failure = z
  .object({
    reason: z.enum(FAILURE_REASONS),
    error: z.string().meta({ description: 'A sentence for people' }),
    code: z.int().nullable().meta({
      description:
        "The network's error code, for `rejected_by_network`, `not_a_group_member` and `account_restricted`",
    }),
  })
  .meta({ id: 'Failure', description: 'Why a message failed' })

export const SendAnswer = z
  .object({
    success,
    messageId: z.string().meta({ description: 'The message id on the network; the same on every attempt' }),
    status: z.enum(MESSAGE_STATUSES),
    instanceName: z.string().meta({ description: 'Unique API name of the instance' }),
    number: z
      .string()
      .optional()
      .meta({ description: 'Recipient, digits only; absent for a group, a status, or a hidden number' }),
    chat: z.string().meta({ description: 'Network identifier of the chat, as events name it' }),
    groupJid: z.string().optional().meta({ description: 'The group; absent for a number or a status' }),
    type: z.enum([...MESSAGE_KINDS, ...ACTION_KINDS]),
    createdAt: timestamp,
    sendAt: timestamp.optional().meta({ description: 'When a scheduled message is sent' }),
    reference: z.string().optional().meta({ description: 'As the request gave it' }),
    failure: Failure.optional().meta({ description: 'Only with `Prefer: wait`, if the message failed' }),
  })
  .meta({
    id: 'SendAnswer',
    description:
      'The message is on disk: it will be sent, or reported as failed. `status` is `queued`, or `scheduled` with `sendAt`, or ' +
      '`awaiting_approval` for a key whose sends a person approves; with ' +
      '`Prefer: wait` it is `sent` or `failed` if the outcome is known in time.',
    examples: [
      {
        success: true,
        messageId: '3EB0A1B2C3D4E5F60718',
        status: 'queued',
        instanceName: 'support-k3v9x2ma',
        number: '5511912345678',
        chat: '5511912345678@s.whatsapp.net',
        type: 'text',
        createdAt: '2026-01-31T12:00:00.000Z',
      },
    ],
  })

/** Every send and every action can be refused for these reasons. */
export const REFUSALS: readonly Reason[] = [
  'instance_not_found',
  'instance_not_connected',
  'queue_full',
  'key_limit_reached',
]
const OF_SENDS: readonly Reason[] = [
  ...REFUSALS,
  'limit_reached',
  'message_not_found',
  'message_not_sent',
  'message_deleted',
]

const send = <Body extends z.ZodType>(body: Body, summary: string, reasons: readonly Reason[] = OF_SENDS) =>
  endpoint({
    tag: 'Sending',
    summary,
    live: true,
    idempotent: true,
    waits: true,
    body,
    answer: SendAnswer,
    reasons,
  })

const WITH_MEDIA: readonly Reason[] = [...OF_SENDS, 'url_not_allowed', 'media_not_found', 'upload_space_full']

export const sendText = send(bodies.TextBody, 'Send a text')
export const sendMedia = send(bodies.MediaBody, 'Send an image, video, document or audio file', WITH_MEDIA)
export const sendButton = send(bodies.ButtonBody, 'Send reply buttons', WITH_MEDIA)
export const sendList = send(bodies.ListBody, 'Send a list menu')
export const sendCta = send(
  bodies.CtaBody,
  'Send buttons that open, call, copy or reply, also mixed',
  WITH_MEDIA,
)
export const sendCarousel = send(bodies.CarouselBody, 'Send a carousel of cards', WITH_MEDIA)
export const sendPix = send(bodies.PixBody, 'Send a PIX key, for payments in Brazil')
export const sendLocation = send(bodies.LocationBody, 'Send a location')
export const sendPoll = send(bodies.PollBody, 'Send a poll')
export const sendSticker = send(
  StickerBody,
  'Send a sticker: a WebP as it is, or any other image, which becomes one of 512 × 512 pixels',
  WITH_MEDIA,
)
export const sendContact = send(ContactBody, 'Send contact cards')
export const sendEvent = send(EventSendBody, 'Send an event: a title, a time and a place')
export const sendAlbum = endpoint({
  tag: 'Sending',
  summary: 'Send several images and videos as one album',
  description:
    'Every file is a message of its own, with its own status, and counts as one; `messageId` is that of the message that announces them. ' +
    'If the connection is lost before the answer, repeat the request with the same `Idempotency-Key`: what was accepted is not sent twice.',
  live: true,
  idempotent: true,
  body: AlbumBody,
  answer: SendAnswer.extend({
    members: z
      .array(z.object({ messageId: z.string(), type: z.enum(['image', 'video']) }))
      .meta({ description: 'The messages of the files, in their order' }),
  }).meta({ id: 'AlbumAnswer' }),
  reasons: WITH_MEDIA,
})
export const sendStatus = endpoint({
  tag: 'Sending',
  summary: 'Post a status to all saved contacts or to listed numbers',
  description:
    'A status is a message of the chat `status@broadcast`. Phones show it for 24 hours. The audience is resolved when the status is ' +
    'sent: numbers that are not registered are left out, and a status without an audience fails as `no_recipients`.',
  live: true,
  idempotent: true,
  waits: true,
  body: StatusBody,
  answer: SendAnswer,
  reasons: [...REFUSALS, 'limit_reached', 'url_not_allowed', 'media_not_found', 'upload_space_full'],
})
export const sendGroup = send(bodies.GroupBody, 'Send a text to a group')
