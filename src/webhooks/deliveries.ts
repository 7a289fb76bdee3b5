// Deliveries as callers see them: listing attempts, and sending events again (decision 0028).
import type { z } from 'zod'
import type { Caller } from '../accounts/caller.ts'
import type { Deps } from '../context.ts'
import type { Delivery, DeliveryDetail, DeliveryStatus } from '../contract/deliveries.ts'
import type { EventName } from '../contract/events.ts'
import { GatewayError } from '../errors.ts'
import { eventId, toEventBody } from '../events/rules.ts'
import { instanceNames } from '../instances/rules.ts'
import { type Page, type PageQuery, page, rowsToRead } from '../kernel/page.ts'
import { fromIso, iso, isoOrNull } from '../kernel/time.ts'
import { lockWebhook } from '../store/locks.ts'
import * as rows from './delivery-queries.ts'
import type { ReceiverKind } from './webhook-queries.ts'
import { requireWebhook } from './webhooks.ts'

const MAX_REPLAYED = 10_000

export interface DeliveryQuery extends PageQuery {
  status?: DeliveryStatus | undefined
}

export async function listDeliveries(
  { store }: Pick<Deps, 'store'>,
  caller: Caller,
  webhookId: number,
  query: DeliveryQuery,
  kind: ReceiverKind,
): Promise<Page<z.output<typeof Delivery>>> {
  await requireWebhook(store.db, caller, webhookId, kind)
  const filter = { webhookId, status: query.status, ...rowsToRead(query) }
  const { items, hasMore } = page(await rows.listDeliveries(store.db, filter), query)
  const attempts = await rows.listAttempts(
    store.db,
    items.map((row) => row.id),
  )
  const byDelivery = Map.groupBy(attempts, (attempt) => attempt.delivery_id)
  return { items: items.map((row) => toDelivery(row, byDelivery.get(row.id) ?? [])), hasMore }
}

export async function getDelivery(
  { store }: Pick<Deps, 'store'>,
  caller: Caller,
  webhookId: number,
  id: number,
  kind: ReceiverKind,
): Promise<z.output<typeof DeliveryDetail>> {
  const row = await requireDelivery(store.db, caller, webhookId, id, kind)
  const attempts = await rows.listAttempts(store.db, [id])
  return {
    ...commonFields(row),
    body: JSON.stringify(toEventBody(row)),
    attempts: attempts.map((attempt) =>
      Object.assign(toAttempt(attempt), { headers: JSON.parse(attempt.headers) as Record<string, string> }),
    ),
  }
}

export async function replayDelivery(
  deps: Pick<Deps, 'store' | 'clock' | 'wakeDeliveries'>,
  caller: Caller,
  webhookId: number,
  id: number,
  kind: ReceiverKind,
): Promise<z.output<typeof Delivery>> {
  const replayed = await deps.store.transaction(async (tx) => {
    await lockWebhook(tx, webhookId, caller.account.id)
    const row = await requireDelivery(tx, caller, webhookId, id, kind)
    await rows.requeueDelivery(tx, { id, webhookId, instanceId: row.instance_id }, deps.clock())
    const after = await requireDelivery(tx, caller, webhookId, id, kind)
    return toDelivery(after, await rows.listAttempts(tx, [id]))
  })
  deps.wakeDeliveries()
  return replayed
}

export async function replayWebhook(
  deps: Pick<Deps, 'store' | 'clock' | 'wakeDeliveries'>,
  caller: Caller,
  webhookId: number,
  since: string,
  kind: ReceiverKind,
) {
  const { queued, until } = await deps.store.transaction(async (tx) => {
    await lockWebhook(tx, webhookId, caller.account.id)
    const webhook = await requireWebhook(tx, caller, webhookId, kind)
    const events = JSON.parse(webhook.events) as string[]
    return rows.replayEvents(tx, {
      webhook,
      events: events.includes('*') ? null : events,
      since: fromIso(since),
      limit: MAX_REPLAYED,
      now: deps.clock(),
    })
  })
  deps.wakeDeliveries()
  return { queued, complete: queued < MAX_REPLAYED, until: isoOrNull(until) }
}

async function requireDelivery(
  db: Deps['store']['db'],
  caller: Caller,
  webhookId: number,
  id: number,
  kind: ReceiverKind,
): Promise<rows.ListedDelivery> {
  await requireWebhook(db, caller, webhookId, kind)
  const row = await rows.findDelivery(db, webhookId, id)
  if (!row) throw new GatewayError('delivery_not_found')
  return row
}

const toDelivery = (row: rows.ListedDelivery, attempts: rows.AttemptRow[]): z.output<typeof Delivery> => ({
  ...commonFields(row),
  attempts: attempts.map(toAttempt),
})

const commonFields = (row: rows.ListedDelivery) => ({
  id: row.id,
  eventId: eventId(row.account_id, row.position),
  event: row.name as EventName,
  sequence: row.sequence,
  instance: { id: row.instance_id, ...instanceNames(row) },
  status: row.status as DeliveryStatus,
  tries: row.tries,
  nextTryAt: isoOrNull(row.due_at),
  createdAt: iso(row.queued_at),
  deliveredAt: isoOrNull(row.delivered_at),
})

const toAttempt = (row: rows.AttemptRow) => ({
  at: iso(row.at),
  durationMs: row.duration_ms,
  status: row.status_code,
  answer: row.answer,
  error: row.error,
})
