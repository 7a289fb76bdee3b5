// Sending: the nine send endpoints, and what a message can become (spec 4.1, decisions 6).
import { z } from 'zod'
import { success, timestamp } from './fields.ts'
import * as bodies from './message-bodies.ts'
import type { Reason } from './reasons.ts'
import { route } from './route.ts'

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
    code: z.int().nullable().meta({ description: "The network's code, with `rejected_by_network`" }),
  })
  .meta({ id: 'Failure', description: 'Why a message failed' })

export const SendAnswer = z
  .object({
    success,
    messageId: z.string().meta({ description: 'The id that the network sees; the same on every try' }),
    status: z.enum(MESSAGE_STATUSES),
    instanceName: z.string().meta({ description: 'Unique API name of the instance' }),
    number: z.string().optional().meta({ description: 'The recipient, digits only; absent for a group' }),
    groupJid: z.string().optional().meta({ description: 'The group; absent for a number' }),
    type: z.enum(MESSAGE_KINDS),
    createdAt: timestamp,
    failure: Failure.optional().meta({ description: 'With `Prefer: wait`, where the message has failed' }),
  })
  .meta({
    id: 'SendAnswer',
    description:
      'Committed to disk: the message will be sent, or reported failed. `status` is `queued`; with `Prefer: wait` it is ' +
      '`sent` or `failed` where the outcome was known in time.',
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

const send = <const Id extends string, const Path extends string, Body extends z.ZodType>(
  id: Id,
  path: Path,
  body: Body,
  summary: string,
  reasons: readonly Reason[] = REFUSALS,
) =>
  route({
    id,
    area: 'api',
    method: 'POST',
    path,
    tag: 'Sending',
    summary,
    scopes: ['send'],
    idempotent: true,
    waits: true,
    body,
    answer: SendAnswer,
    reasons,
  })

const WITH_MEDIA: readonly Reason[] = [...REFUSALS, 'url_not_allowed']

export const sendText = send('sendText', '/send/text', bodies.TextBody, 'Send a text')
export const sendMedia = send(
  'sendMedia',
  '/send/media',
  bodies.MediaBody,
  'Send an image, video, document or audio',
  WITH_MEDIA,
)
export const sendButton = send('sendButton', '/send/button', bodies.ButtonBody, 'Send reply buttons')
export const sendList = send('sendList', '/send/list', bodies.ListBody, 'Send a list menu')
export const sendCta = send('sendCta', '/send/cta', bodies.CtaBody, 'Send call-to-action buttons')
export const sendCarousel = send(
  'sendCarousel',
  '/send/carousel',
  bodies.CarouselBody,
  'Send a carousel of cards',
  WITH_MEDIA,
)
export const sendLocation = send('sendLocation', '/send-location', bodies.LocationBody, 'Send a location')
export const sendPoll = send('sendPoll', '/send-poll', bodies.PollBody, 'Send a poll')
export const sendGroup = send('sendGroup', '/send-group', bodies.GroupBody, 'Send a text to a group')
