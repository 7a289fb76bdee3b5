// Deliveries: the history of each event sent to a webhook, test events, and replays.
import { z } from 'zod'
import { EVENT_NAMES } from './events.ts'
import { InstanceReference, limit, page, pathId, success, timestamp } from './fields.ts'
import { endpoint } from './route.ts'

export const DELIVERY_STATUSES = ['pending', 'delivered', 'retrying', 'dead'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

/** The event name of a test. Webhooks cannot subscribe to it, and the event log does not contain it. */
export const TEST_EVENT = 'webhook.test'

const attemptFields = {
  at: timestamp,
  durationMs: z.int().meta({ description: 'Duration of the whole request' }),
  status: z.int().nullable().meta({ description: 'HTTP status of the response; null if there was none' }),
  answer: z.string().nullable().meta({
    description: 'The first 4 KiB of the response. The content is untrusted: show it as plain text only',
  }),
  error: z.string().nullable().meta({ description: 'Why the attempt failed; null if it succeeded' }),
}
export const DeliveryAttempt = z.object(attemptFields).meta({ id: 'DeliveryAttempt' })
const headersSent = z
  .record(z.string(), z.string())
  .meta({ description: 'The request headers as sent, including signatures' })
const bodySent = z.string().meta({ description: 'The request body as sent, byte for byte' })

const deliveryFields = {
  id: z.int(),
  eventId: z
    .string()
    .meta({ description: 'The event id in the body and in `webhook-id`; the same on every attempt' }),
  event: z.enum(EVENT_NAMES),
  sequence: z.int(),
  instance: InstanceReference,
  status: z.enum(DELIVERY_STATUSES).meta({
    description:
      '`pending`: waiting for the first attempt · `delivered` · `retrying`: failed, will be retried · `dead`: no more retries',
  }),
  tries: z.int().meta({ description: 'Number of attempts since the delivery was queued or replayed' }),
  nextTryAt: timestamp
    .nullable()
    .meta({ description: 'Time of the next attempt if the status is `retrying`' }),
  createdAt: timestamp,
  deliveredAt: timestamp.nullable(),
}
export const Delivery = z
  .object({
    ...deliveryFields,
    attempts: z.array(DeliveryAttempt).meta({ description: 'All attempts, oldest first' }),
  })
  .meta({ id: 'Delivery' })

export const DeliveryDetail = z
  .object({
    ...deliveryFields,
    body: bodySent,
    attempts: z
      .array(z.object({ ...attemptFields, headers: headersSent }))
      .meta({ description: 'All attempts with their request headers, oldest first' }),
  })
  .meta({ id: 'DeliveryDetail' })

const common = { tag: 'Webhooks' } as const
const byId = z.strictObject({ id: pathId })
const byDelivery = z.strictObject({ id: pathId, deliveryId: pathId })

export const testWebhook = endpoint({
  ...common,
  live: true,
  summary: 'Send a signed test event and return the response of the receiver',
  description:
    'The event `webhook.test` is signed and posted like any other event, even to a disabled webhook. It is sent once, and does ' +
    'not appear in the event log or among the deliveries. A second test of the same webhook at the same time gets 429. A webhook of ' +
    'another format gets an event in its form, about a message that the account has sent to itself; for `chatwoot`, the inbox is read.',
  params: byId,
  answer: z.object({
    success,
    delivered: z.boolean().meta({ description: 'Whether the receiver accepted it' }),
    attempt: DeliveryAttempt,
    request: z.object({ headers: headersSent, body: bodySent }),
  }),
  reasons: ['webhook_not_found'],
})

export const listDeliveries = endpoint({
  ...common,
  summary: 'List the deliveries of a webhook with all attempts, newest event first',
  description: 'Deliveries are kept for 14 days, or longer until their last attempt.',
  openWithoutSubscription: true,
  params: byId,
  query: z.strictObject({ status: z.enum(DELIVERY_STATUSES).optional(), page, limit }),
  answer: z.object({
    success,
    count: z.int(),
    page: z.int(),
    limit: z.int(),
    hasMore: z.boolean(),
    deliveries: z.array(Delivery),
  }),
  reasons: ['webhook_not_found'],
})

export const getDelivery = endpoint({
  ...common,
  summary: 'Get a delivery with its requests and responses',
  params: byDelivery,
  answer: z.object({ success, delivery: DeliveryDetail }),
  reasons: ['webhook_not_found', 'delivery_not_found'],
})

export const replayDelivery = endpoint({
  ...common,
  live: true,
  summary: 'Send a delivery again',
  description:
    'The delivery is queued again with the same `webhook-id`, and its retry schedule starts over. Earlier attempts stay listed. ' +
    'While the webhook is disabled, the delivery waits.',
  params: byDelivery,
  answer: z.object({ success, delivery: Delivery }),
  reasons: ['webhook_not_found', 'delivery_not_found'],
})

export const replayWebhook = endpoint({
  ...common,
  live: true,
  summary: 'Send all events since a given time again, in order',
  description:
    'Replays every event in the log that the webhook subscribes to, whether it was delivered or not, including events from before ' +
    'the webhook was created or while it was disabled. Each event keeps its `webhook-id`. One call replays at most 10,000 events: ' +
    'if `complete` is false, call again with `until` as `since`.',
  params: byId,
  body: z
    .strictObject({ since: timestamp })
    .meta({ id: 'ReplayWebhook', examples: [{ since: '2026-01-31T12:00:00.000Z' }] }),
  answer: z.object({
    success,
    queued: z.int().meta({ description: 'Number of events queued' }),
    complete: z.boolean(),
    until: timestamp.nullable().meta({ description: 'Time of the last queued event' }),
  }),
  reasons: ['webhook_not_found'],
})
