// Sending: the nine send endpoints, and the statuses and failures of a message.
import { z } from 'zod'
import { success, timestamp } from './fields.ts'
import * as bodies from './message-bodies.ts'
import type { Reason } from './reasons.ts'
import { endpoint } from './route.ts'

export const MESSAGE_KINDS = [
  'text',
  'image',
  'video',
  'document',
  'audio',
  'button',
  'list',
  'cta',
  'carousel',
  'location',
  'poll',
] as const
export type MessageKind = (typeof MESSAGE_KINDS)[number]

export const MESSAGE_STATUSES = [
  'queued',
  'sending',
  'sent',
  'delivered',
  'read',
  'played',
  'failed',
] as const
export type MessageStatus = (typeof MESSAGE_STATUSES)[number]

export const FAILURE_REASONS = [
  'number_not_on_network',
  'not_a_group_member',
  'rejected_by_network',
  'account_restricted',
  'media_unavailable',
  'media_too_large',
  'expired',
  'canceled',
  'instance_deleted',
  'logged_out',
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
    number: z.string().optional().meta({ description: 'Recipient, digits only; absent for a group' }),
    groupJid: z.string().optional().meta({ description: 'The group; absent for a number' }),
    type: z.enum(MESSAGE_KINDS),
    createdAt: timestamp,
    failure: Failure.optional().meta({ description: 'Only with `Prefer: wait`, if the message failed' }),
  })
  .meta({
    id: 'SendAnswer',
    description:
      'The message is on disk: it will be sent, or reported as failed. `status` is `queued`; with `Prefer: wait` it is `sent` or ' +
      '`failed` if the outcome is known in time.',
    examples: [
      {
        success: true,
        messageId: '3EB0A1B2C3D4E5F60718',
        status: 'queued',
        instanceName: 'support-k3v9x2ma',
        number: '5511912345678',
        type: 'text',
        createdAt: '2026-01-31T12:00:00.000Z',
      },
    ],
  })

const REFUSALS: readonly Reason[] = [
  'instance_not_found',
  'instance_not_connected',
  'limit_reached',
  'queue_full',
]

const send = <Body extends z.ZodType>(body: Body, summary: string, reasons: readonly Reason[] = REFUSALS) =>
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

const WITH_MEDIA: readonly Reason[] = [...REFUSALS, 'url_not_allowed']

export const sendText = send(bodies.TextBody, 'Send a text')
export const sendMedia = send(bodies.MediaBody, 'Send an image, video, document or audio file', WITH_MEDIA)
export const sendButton = send(bodies.ButtonBody, 'Send reply buttons')
export const sendList = send(bodies.ListBody, 'Send a list menu')
export const sendCta = send(bodies.CtaBody, 'Send call-to-action buttons')
export const sendCarousel = send(bodies.CarouselBody, 'Send a carousel of cards', WITH_MEDIA)
export const sendLocation = send(bodies.LocationBody, 'Send a location')
export const sendPoll = send(bodies.PollBody, 'Send a poll')
export const sendGroup = send(bodies.GroupBody, 'Send a text to a group')
