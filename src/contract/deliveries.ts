// Deliveries: what became of each event on its way to a webhook, trying a webhook out, sending again (decisions 8).
import { z } from 'zod'
import { EVENT_NAMES } from './events.ts'
import { InstanceReference, limit, page, pathId, success, timestamp } from './fields.ts'
import { route } from './route.ts'

export const DELIVERY_STATUSES = ['pending', 'delivered', 'retrying', 'dead'] as const

/** The name of the event that a test sends. No webhook can ask for it, and it is in no log. */
export const TEST_EVENT = 'webhook.test'

const attemptFields = {
  at: timestamp,
  durationMs: z.int().meta({ description: 'Of the whole exchange' }),
  status: z.int().nullable().meta({ description: 'HTTP status of the answer; null: none came' }),
  answer: z.string().nullable().meta({
    description: 'The first 4 KiB of the answer, written by a stranger: show it as text only',
  }),
  error: z.string().nullable().meta({ description: 'Why it does not count as delivered; null: it does' }),
}
const DeliveryAttempt = z.object(attemptFields).meta({ id: 'DeliveryAttempt' })
const headersSent = z
  .record(z.string(), z.string())
  .meta({ description: 'The headers of the request as they were sent, signatures included' })
const bodySent = z.string().meta({ description: 'The body as it was sent, byte for byte' })

const deliveryFields = {
  id: z.int(),
  eventId: z.string().meta({ description: 'The id in the body and in `webhook-id`, the same on every try' }),
  event: z.enum(EVENT_NAMES),
  sequence: z.int(),
  instance: InstanceReference,
  status: z.enum(DELIVERY_STATUSES).meta({
    description:
      '`pending`: waits for its first try · `delivered` · `retrying`: failed and is tried again · `dead`: given up',
  }),
  tries: z.int().meta({ description: 'Since it was queued, or queued again by request' }),
  nextTryAt: timestamp.nullable().meta({ description: 'Of a delivery that is retrying' }),
  createdAt: timestamp,
  deliveredAt: timestamp.nullable(),
}
export const Delivery = z
  .object({
    ...deliveryFields,
    attempts: z.array(DeliveryAttempt).meta({ description: 'All of them, oldest first' }),
  })
  .meta({ id: 'Delivery' })

export const DeliveryDetail = z
  .object({
    ...deliveryFields,
    body: bodySent,
    attempts: z
      .array(z.object({ ...attemptFields, headers: headersSent }))
      .meta({ description: 'All of them, oldest first, each with what was sent' }),
  })
  .meta({ id: 'DeliveryDetail' })

const common = { area: 'api', tag: 'Webhooks', scopes: ['webhooks'] } as const
const byId = z.strictObject({ id: pathId })
const byDelivery = z.strictObject({ id: pathId, deliveryId: pathId })

export const testWebhook = route({
  ...common,
  id: 'testWebhook',
  method: 'POST',
  path: '/webhooks/{id}/test',
  summary: 'Send a signed test event now, and see what the receiver answers',
  description:
    'The event is called `webhook.test`; it is signed and posted as any other, even to a disabled webhook. It is sent ' +
    'once, is not in the event log and is not listed as a delivery. One test of a webhook at a time, else 429.',
  params: byId,
  answer: z.object({
    success,
    delivered: z.boolean().meta({ description: 'Whether the receiver took it' }),
    attempt: DeliveryAttempt,
    request: z.object({ headers: headersSent, body: bodySent }),
  }),
  reasons: ['webhook_not_found'],
})

export const listDeliveries = route({
  ...common,
  id: 'listDeliveries',
  method: 'GET',
  path: '/webhooks/{id}/deliveries',
  summary: 'List the deliveries of a webhook with every attempt, newest event first',
  description: 'Kept for 14 days, and longer while they are still to be tried.',
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

export const getDelivery = route({
  ...common,
  id: 'getDelivery',
  method: 'GET',
  path: '/webhooks/{id}/deliveries/{deliveryId}',
  summary: 'Read a delivery with what was sent and what was answered',
  params: byDelivery,
  answer: z.object({ success, delivery: DeliveryDetail }),
  reasons: ['webhook_not_found', 'delivery_not_found'],
})

export const replayDelivery = route({
  ...common,
  id: 'replayDelivery',
  method: 'POST',
  path: '/webhooks/{id}/deliveries/{deliveryId}/replay',
  summary: 'Send a delivery again',
  description:
    'It is queued as if new, under the same `webhook-id`, and its schedule begins again; its attempts stay. ' +
    'While the webhook is disabled it waits.',
  params: byDelivery,
  answer: z.object({ success, delivery: Delivery }),
  reasons: ['webhook_not_found', 'delivery_not_found'],
})

export const replayWebhook = route({
  ...common,
  id: 'replayWebhook',
  method: 'POST',
  path: '/webhooks/{id}/replay',
  summary: 'Send all events since a moment again, in order',
  description:
    'Every event of the log since then that the webhook asks for: those that were delivered, those that were not, and those ' +
    'that happened while it was disabled or not there yet. Each goes out under its own `webhook-id`. At most 10,000 a call: ' +
    'where `complete` is false, call again with `until` as `since`.',
  params: byId,
  body: z
    .strictObject({ since: timestamp })
    .meta({ id: 'ReplayWebhook', examples: [{ since: '2026-01-31T12:00:00.000Z' }] }),
  answer: z.object({
    success,
    queued: z.int().meta({ description: 'Events that were put into the queue' }),
    complete: z.boolean(),
    until: timestamp.nullable().meta({ description: 'The moment of the last of them' }),
  }),
  reasons: ['webhook_not_found'],
})
