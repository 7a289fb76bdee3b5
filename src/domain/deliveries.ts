// Deliveries as callers see them: what was tried, trying a webhook out, sending again (decisions 8).
import type { z } from 'zod'
import { type Delivery, type DeliveryDetail, TEST_EVENT } from '../contract/deliveries.ts'
import type { EventName } from '../contract/events.ts'
import { GatewayError } from '../errors.ts'
import type { DeliveryStatus } from '../store/deliveries.ts'
import * as rows from '../store/queries/deliveries.ts'
import type { WebhookRow } from '../store/queries/webhooks.ts'
import type { Caller } from './caller.ts'
import type { Deps } from './deps.ts'
import { eventId, toEventBody } from './events.ts'
import { toNames } from './instances.ts'
import { fromIso, iso, isoOrNull } from './time.ts'
import { openSecrets } from './webhook-secrets.ts'
import { requireWebhook } from './webhooks.ts'

const MAX_REPLAYED = 10_000

export interface DeliveryQuery {
  status?: DeliveryStatus | undefined
  page: number
  limit: number
}

export async function listDeliveries(
  { store }: Pick<Deps, 'store'>,
  caller: Caller,
  webhookId: number,
  { status, page, limit }: DeliveryQuery,
) {
  await requireWebhook(store.db, caller, webhookId)
  const offset = (page - 1) * limit
  const found = await rows.listDeliveries(store.db, { webhookId, status, limit: limit + 1, offset })
  const shown = found.slice(0, limit)
  const attempts = Map.groupBy(
    await rows.listAttempts(
      store.db,
      shown.map((row) => row.id),
    ),
    (attempt) => attempt.delivery_id,
  )
  return {
    deliveries: shown.map((row) => toDelivery(row, attempts.get(row.id) ?? [])),
    hasMore: found.length > limit,
  }
}

export async function getDelivery(
  { store }: Pick<Deps, 'store'>,
  caller: Caller,
  webhookId: number,
  id: number,
): Promise<z.output<typeof DeliveryDetail>> {
  const row = await requireDelivery(store.db, caller, webhookId, id)
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
): Promise<z.output<typeof Delivery>> {
  const replayed = await deps.store.transaction(async (tx) => {
    const row = await requireDelivery(tx, caller, webhookId, id)
    await rows.requeueDelivery(tx, { id, webhookId, instanceId: row.instance_id }, deps.clock())
    const after = await requireDelivery(tx, caller, webhookId, id)
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
) {
  const { queued, until } = await deps.store.transaction(async (tx) => {
    const webhook = await requireWebhook(tx, caller, webhookId)
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

/** Webhooks that a test is on its way to, on this node. */
export type RunningTests = Set<number>

/** One test of a webhook at a time: this is no way to flood a receiver. */
export async function testWebhook(
  deps: Pick<Deps, 'store' | 'vault' | 'clock' | 'postEvent'>,
  running: RunningTests,
  caller: Caller,
  webhookId: number,
) {
  const webhook = await requireWebhook(deps.store.db, caller, webhookId)
  if (running.has(webhookId)) throw new GatewayError('rate_limited', {}, { retryAfterSeconds: 1 })
  running.add(webhookId)
  try {
    return await sendTest(deps, webhook)
  } finally {
    running.delete(webhookId)
  }
}

/** Signed, posted and judged as every delivery is; but no event, so it has no place in the log. */
async function sendTest(deps: Pick<Deps, 'store' | 'vault' | 'clock' | 'postEvent'>, webhook: WebhookRow) {
  const now = deps.clock()
  const { id: webhookId, account_id: accountId, url, name } = webhook
  const seals = {
    sealedSecret: webhook.sealed_secret,
    previousSealedSecret: webhook.previous_sealed_secret,
    previousUntil: webhook.previous_until,
  }
  const secrets = await openSecrets(deps.vault, deps.store.db, { accountId, webhookId, ...seals }, now)
  const id = `test_${webhookId}_${now}`
  const data = { webhookId, name }
  const body = JSON.stringify({
    id,
    event: TEST_EVENT,
    timestamp: iso(now),
    sequence: 0,
    instance: null,
    data,
  })
  const attempt = await deps.postEvent({ url, webhookId, secrets, id, event: TEST_EVENT, body })
  const { at, durationMs, status, answer, error, headers } = attempt
  return {
    delivered: error === null,
    attempt: { at: iso(at), durationMs, status, answer, error },
    request: { headers, body },
  }
}

async function requireDelivery(
  db: Deps['store']['db'],
  caller: Caller,
  webhookId: number,
  id: number,
): Promise<rows.ListedDelivery> {
  await requireWebhook(db, caller, webhookId)
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
  instance: { id: row.instance_id, ...toNames(row) },
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
