// Claiming and settling deliveries on SQLite: statement by statement, inside the transaction of the batch.

import type { Prepare, SqliteOperation } from '../store/engines/sqlite/hot-transaction.ts'
import {
  type ClaimedDeliveries,
  type DeliveryClaimRequest,
  type DeliveryLock,
  type DeliveryResult,
  type DeliverySettlement,
  DUE_COLUMNS,
  DUE_TABLES,
  type DueRow,
  type HealthColumns,
  healthValues,
  RETRYING_HOOKS,
  toClaimedWebhook,
  toHealth,
  verdictOf,
  WEBHOOK_COLUMNS,
  type WebhookColumns,
} from './deliveries-store.ts'
import {
  chooseDeliveries,
  type DueDelivery,
  freeSlots,
  healthAfter,
  settledDelivery,
  slotsOf,
  type WebhookCandidates,
} from './rules.ts'

type HookRow = WebhookColumns & { locked_lanes: number; locked_retries: number }

/** Enabled webhooks that have something due and not locked, with the number of their locks. */
const DUE_HOOKS = `with recursive ${RETRYING_HOOKS}
  select ${WEBHOOK_COLUMNS},
    (select count(*) from delivery_lanes where webhook_id = webhooks.id and locked_until > ?1) as locked_lanes,
    (select count(*) from deliveries where webhook_id = webhooks.id and locked_until is not null and locked_until > ?1)
      as locked_retries
  from webhooks where enabled = 1 and id in (
    select webhook_id from delivery_lanes where due_at <= ?1 and (locked_until is null or locked_until <= ?1)
    union select id from retrying_hooks where id is not null)`

export const claimDeliveries: SqliteOperation<'claimDeliveries'> = ({ prepare }, requests) =>
  requests.map((request) => claim(prepare, request))

function claim(prepare: Prepare, request: DeliveryClaimRequest): ClaimedDeliveries[] {
  const hooks = prepare(DUE_HOOKS).all(request.now) as unknown as HookRow[]
  const hookOf = new Map(hooks.map((row) => [row.id, row]))
  const candidates = hooks
    .filter((row) => freeSlots(locksOf(row), request.perWebhook) > 0)
    .map((row) => candidatesOf(prepare, row, request))
  return chooseDeliveries(candidates, request).flatMap((choice) => {
    const { lock, deliveries } =
      choice.kind === 'lane' ? claimLane(prepare, choice, request) : claimRetry(prepare, choice, request)
    if (deliveries.length === 0) return []
    return [{ webhook: toClaimedWebhook(hookOf.get(choice.webhookId) as HookRow), lock, deliveries }]
  })
}

const locksOf = (hook: HookRow) => ({
  isBatched: hook.batch === 1,
  lockedLanes: hook.locked_lanes,
  lockedRetries: hook.locked_retries,
})

function candidatesOf(
  prepare: Prepare,
  hook: HookRow,
  { now, perWebhook }: DeliveryClaimRequest,
): WebhookCandidates {
  const lanes = prepare(
    `select instance_id, due_at from delivery_lanes where webhook_id = ?1 and due_at <= ?2
       and (locked_until is null or locked_until <= ?2) order by due_at, instance_id limit ?3`,
  ).all(hook.id, now, slotsOf(hook.batch === 1, perWebhook).lanes)
  const retries = prepare(
    `select id, due_at from deliveries where status = 'retrying' and webhook_id = ?1 and due_at <= ?2
       and (locked_until is null or locked_until <= ?2) order by due_at limit ?3`,
  ).all(hook.id, now, perWebhook)
  return {
    ...locksOf(hook),
    lanes: lanes.map((row) => ({
      kind: 'lane',
      webhookId: hook.id,
      instanceId: Number(row.instance_id),
      dueAt: Number(row.due_at),
    })),
    retries: retries.map((row) => ({
      kind: 'retry',
      webhookId: hook.id,
      deliveryId: Number(row.id),
      dueAt: Number(row.due_at),
    })),
  }
}

function claimLane(
  prepare: Prepare,
  { webhookId, instanceId }: Extract<DueDelivery, { kind: 'lane' }>,
  { now, lockMs, runLength }: DeliveryClaimRequest,
): Pick<ClaimedDeliveries, 'lock' | 'deliveries'> {
  const lane = prepare(
    `update delivery_lanes set locked_until = ?, fence = fence + 1 where webhook_id = ? and instance_id = ?
     returning fence`,
  ).get(now + lockMs, webhookId, instanceId)
  const lock: DeliveryLock = { kind: 'lane', webhookId, instanceId, fence: Number(lane?.fence) }
  const deliveries = prepare(
    `select ${DUE_COLUMNS} from ${DUE_TABLES}
     where deliveries.webhook_id = ? and deliveries.instance_id = ? and status = 'pending'
     order by deliveries.position limit ?`,
  ).all(webhookId, instanceId, runLength) as unknown as DueRow[]
  if (deliveries.length === 0) releaseLane(prepare, webhookId, instanceId, now)
  return { lock, deliveries }
}

function claimRetry(
  prepare: Prepare,
  { webhookId, deliveryId }: Extract<DueDelivery, { kind: 'retry' }>,
  { now, lockMs }: DeliveryClaimRequest,
): Pick<ClaimedDeliveries, 'lock' | 'deliveries'> {
  const row = prepare(
    'update deliveries set locked_until = ?, fence = fence + 1 where id = ? returning fence',
  ).get(now + lockMs, deliveryId)
  const deliveries = prepare(`select ${DUE_COLUMNS} from ${DUE_TABLES} where deliveries.id = ?`).all(
    deliveryId,
  ) as unknown as DueRow[]
  return { lock: { kind: 'retry', webhookId, deliveryId, fence: Number(row?.fence) }, deliveries }
}

export const settleDelivery: SqliteOperation<'settleDelivery'> = ({ prepare }, settlements) =>
  settlements.map((settlement) => settle(prepare, settlement))

function settle(prepare: Prepare, { lock, now, results, release }: DeliverySettlement): boolean {
  if (!isCurrent(prepare, lock)) return false
  for (const result of results) writeResult(prepare, lock, result, now)
  if (release) {
    if (lock.kind === 'lane') releaseLane(prepare, lock.webhookId, lock.instanceId, now)
    else prepare('update deliveries set locked_until = null where id = ?').run(lock.deliveryId)
  }
  return true
}

function isCurrent(prepare: Prepare, lock: DeliveryLock): boolean {
  const row =
    lock.kind === 'lane'
      ? prepare(
          `select 1 from delivery_lanes
           where webhook_id = ? and instance_id = ? and fence = ? and locked_until is not null`,
        ).get(lock.webhookId, lock.instanceId, lock.fence)
      : prepare('select 1 from deliveries where id = ? and fence = ? and locked_until is not null').get(
          lock.deliveryId,
          lock.fence,
        )
  return row !== undefined
}

function writeResult(prepare: Prepare, lock: DeliveryLock, result: DeliveryResult, now: number): void {
  const next = settledDelivery(result.outcome, now)
  const { changes } = prepare(
    `update deliveries set status = ?, tries = tries + 1, asked = asked + ?, due_at = ?, delivered_at = ?, updated_at = ?
     where id = ? and status = ?`,
  ).run(
    next.status,
    next.earlyRetries,
    next.dueAt,
    next.deliveredAt,
    now,
    result.deliveryId,
    lock.kind === 'lane' ? 'pending' : 'retrying',
  )
  if (Number(changes) === 0) return
  const { at, durationMs, statusCode, headers, answer, error } = result.attempt
  prepare(
    `insert into delivery_attempts (delivery_id, at, duration_ms, status_code, headers, answer, error)
     values (?, ?, ?, ?, ?, ?, ?)`,
  ).run(result.deliveryId, at, durationMs, statusCode, headers, answer, error)
  writeHealth(prepare, lock.webhookId, result, now)
}

function writeHealth(prepare: Prepare, webhookId: number, result: DeliveryResult, now: number): void {
  const row = prepare(
    'select enabled, failing_since, disabled_reason, disabled_at from webhooks where id = ?',
  ).get(webhookId) as unknown as HealthColumns
  const before = toHealth(row)
  const health = healthAfter(before, verdictOf(result), now)
  if (health === before) return
  prepare(
    'update webhooks set enabled = ?, failing_since = ?, disabled_reason = ?, disabled_at = ? where id = ?',
  ).run(...healthValues(health), webhookId)
}

function releaseLane(prepare: Prepare, webhookId: number, instanceId: number, now: number): void {
  prepare(
    `update delivery_lanes set locked_until = null, due_at = case when exists (
       select 1 from deliveries where webhook_id = ?1 and instance_id = ?2 and status = 'pending') then ?3 end
     where webhook_id = ?1 and instance_id = ?2`,
  ).run(webhookId, instanceId, now)
}
