// Claiming and settling deliveries on PostgreSQL: a handful of statements, however many there are. Rows are locked in one order
// everywhere (webhooks, lanes, deliveries, each by its key), so that no two transactions wait for each other.

import { type PostgresOperation, prepared, type QueryClient } from '../store/engines/postgres/statement.ts'
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
import { chooseDeliveries, type DueDelivery, healthAfter, settledDelivery, slotsOf } from './rules.ts'

/** Enabled webhooks that have something due and not locked. They are locked, so that the count of their locks is exact. */
const DUE_HOOKS = `
  select ${WEBHOOK_COLUMNS}
  from webhooks
  where enabled = 1 and id in (
    with recursive ${RETRYING_HOOKS}
    select webhook_id from delivery_lanes where due_at <= $1 and (locked_until is null or locked_until <= $1)
    union select retrying_hooks.id from retrying_hooks where exists (
      select 1 from deliveries where status = 'retrying' and webhook_id = retrying_hooks.id and due_at <= $1
        and (locked_until is null or locked_until <= $1)))
  order by id for no key update`
const LOCK_DUE_HOOKS = prepared('lock_due_hooks', DUE_HOOKS)
const LOCK_FREE_HOOKS = prepared('lock_free_hooks', `${DUE_HOOKS} skip locked`)

/** Several nodes do not wait for each other while there is another webhook with something due. */
async function lockDueHooks(
  client: QueryClient,
  { now, nodeId }: DeliveryClaimRequest,
): Promise<WebhookColumns[]> {
  const free = nodeId === undefined ? [] : (await client.query<WebhookColumns>(LOCK_FREE_HOOKS([now]))).rows
  return free.length > 0 ? free : (await client.query<WebhookColumns>(LOCK_DUE_HOOKS([now]))).rows
}

/** For each webhook the number of its locks, and as much of what is due as it could take. */
const CANDIDATES = prepared(
  'delivery_candidates',
  `
  select hook.id as webhook_id, locked_lanes, locked_retries, free.kind, free.id, free.due_at
  from unnest($2::bigint[]) as hook (id)
  cross join lateral (
    select (select count(*) from delivery_lanes where webhook_id = hook.id and locked_until > $1) as locked_lanes,
      (select count(*) from deliveries
       where webhook_id = hook.id and locked_until is not null and locked_until > $1) as locked_retries
  ) as locked
  cross join lateral (
    (select 'lane' as kind, instance_id as id, due_at from delivery_lanes
     where webhook_id = hook.id and due_at <= $1 and (locked_until is null or locked_until <= $1)
     order by due_at, instance_id limit $3)
    union all
    (select 'retry' as kind, id, due_at from deliveries
     where status = 'retrying' and webhook_id = hook.id and due_at <= $1
       and (locked_until is null or locked_until <= $1)
     order by due_at limit $3)
  ) as free`,
)

interface CandidateRow {
  webhook_id: number
  locked_lanes: number
  locked_retries: number
  kind: 'lane' | 'retry'
  id: number
  due_at: number
}

const toDueDelivery = ({ kind, webhook_id: webhookId, id, due_at: dueAt }: CandidateRow): DueDelivery =>
  kind === 'lane'
    ? { kind, webhookId, instanceId: id, dueAt }
    : { kind: 'retry', webhookId, deliveryId: id, dueAt }

/** Begins its transaction, without waiting for the fsync at the commit: a claim that is lost in a power failure does no harm. */
export async function claimDeliveries(
  client: QueryClient,
  request: DeliveryClaimRequest,
): Promise<ClaimedDeliveries[]> {
  await client.query('begin; set local synchronous_commit = off')
  const hooks = await lockDueHooks(client, request)
  if (hooks.length === 0) return []
  const ids = hooks.map(({ id }) => id)
  const most = slotsOf(
    hooks.some(({ batch }) => batch === 1),
    request.perWebhook,
  ).lanes
  const { rows } = await client.query<CandidateRow>(CANDIDATES([request.now, ids, most]))
  const hookOf = new Map(hooks.map((row) => [row.id, toClaimedWebhook(row)]))
  const candidates = [...Map.groupBy(rows, (row) => row.webhook_id)].map(([id, own]) => {
    const choices = own.map(toDueDelivery).sort((a, b) => a.dueAt - b.dueAt)
    return {
      isBatched: hookOf.get(id)?.isBatched === true,
      lockedLanes: own[0]?.locked_lanes ?? 0,
      lockedRetries: own[0]?.locked_retries ?? 0,
      lanes: choices.filter(({ kind }) => kind === 'lane'),
      retries: choices.filter(({ kind }) => kind === 'retry'),
    }
  })
  const chosen = chooseDeliveries(candidates, request)
  const claimed = [
    ...(await claimLanes(client, chosen, request)),
    ...(await claimRetries(client, chosen, request)),
  ]
  return claimed.map(({ lock, deliveries }) => ({
    webhook: hookOf.get(lock.webhookId) as ClaimedDeliveries['webhook'],
    lock,
    deliveries,
  }))
}

type Claimed = Pick<ClaimedDeliveries, 'lock' | 'deliveries'>

/** Locked in the order of their keys, as everywhere. */
const TAKE_LANES = prepared(
  'take_delivery_lanes',
  `with locked as materialized (
     select webhook_id, instance_id from delivery_lanes
     where (webhook_id, instance_id) in (select * from unnest($1::bigint[], $2::bigint[]))
     order by webhook_id, instance_id for update)
   update delivery_lanes set locked_until = $3, fence = fence + 1, node_id = $4 from locked
   where delivery_lanes.webhook_id = locked.webhook_id and delivery_lanes.instance_id = locked.instance_id
   returning delivery_lanes.webhook_id, delivery_lanes.instance_id, fence`,
)

const LANE_HEADS = prepared(
  'delivery_lane_heads',
  `select head.* from unnest($1::bigint[], $2::bigint[]) as chosen (webhook_id, instance_id),
     lateral (select ${DUE_COLUMNS} from ${DUE_TABLES}
       where deliveries.webhook_id = chosen.webhook_id and deliveries.instance_id = chosen.instance_id
         and status = 'pending' order by deliveries.position limit $3) as head
   order by head.position`,
)

async function claimLanes(
  client: QueryClient,
  chosen: DueDelivery[],
  request: DeliveryClaimRequest,
): Promise<Claimed[]> {
  const lanes = chosen.filter((choice) => choice.kind === 'lane')
  if (lanes.length === 0) return []
  const keys = [lanes.map((lane) => lane.webhookId), lanes.map((lane) => lane.instanceId)]
  const { rows: fences } = await client.query<{ webhook_id: number; instance_id: number; fence: number }>(
    TAKE_LANES([...keys, request.now + request.lockMs, request.nodeId ?? null]),
  )
  const { rows: heads } = await client.query<DueRow>(LANE_HEADS([...keys, request.runLength]))
  const runs = Map.groupBy(heads, (row) => laneKey(row.webhook_id, row.instance_id))
  const claimed = fences.map(({ webhook_id: webhookId, instance_id: instanceId, fence }) => ({
    lock: { kind: 'lane' as const, webhookId, instanceId, fence },
    deliveries: runs.get(laneKey(webhookId, instanceId)) ?? [],
  }))
  const empty = claimed.filter(({ deliveries }) => deliveries.length === 0).map(({ lock }) => lock)
  await releaseLanes(client, empty, request.now)
  return claimed.filter(({ deliveries }) => deliveries.length > 0)
}

const laneKey = (webhookId: number, instanceId: number): string => `${webhookId}:${instanceId}`

async function claimRetries(
  client: QueryClient,
  chosen: DueDelivery[],
  request: DeliveryClaimRequest,
): Promise<Claimed[]> {
  const ids = chosen.flatMap((choice) => (choice.kind === 'retry' ? [choice.deliveryId] : []))
  if (ids.length === 0) return []
  await client.query('select id from deliveries where id = any($1::bigint[]) order by id for update', [ids])
  const { rows: fences } = await client.query<{ id: number; fence: number }>(
    `update deliveries set locked_until = $2, fence = fence + 1, node_id = $3 where id = any($1::bigint[])
     returning id, fence`,
    [ids, request.now + request.lockMs, request.nodeId ?? null],
  )
  const fenceOf = new Map(fences.map(({ id, fence }) => [id, fence]))
  const { rows } = await client.query<DueRow>(
    `select ${DUE_COLUMNS} from ${DUE_TABLES} where deliveries.id = any($1::bigint[]) order by due_at`,
    [ids],
  )
  return rows.map((row) => ({
    lock: {
      kind: 'retry',
      webhookId: row.webhook_id,
      deliveryId: row.id,
      fence: fenceOf.get(row.id) as number,
    },
    deliveries: [row],
  }))
}

interface LaneRow {
  webhookId: number
  instanceId: number
}

const LOCK_LANES = prepared(
  'lock_delivery_lanes',
  `select webhook_id, instance_id, case when locked_until is not null then fence end as fence from delivery_lanes
   where (webhook_id, instance_id) in (select * from unnest($1::bigint[], $2::bigint[]))
   order by webhook_id, instance_id for update`,
)

async function lockLanes(client: QueryClient, lanes: LaneRow[]): Promise<Map<string, number>> {
  const { rows } = await client.query<{ webhook_id: number; instance_id: number; fence: number | null }>(
    LOCK_LANES([lanes.map((lane) => lane.webhookId), lanes.map((lane) => lane.instanceId)]),
  )
  return new Map(rows.map((row) => [laneKey(row.webhook_id, row.instance_id), row.fence ?? Number.NaN]))
}

const LOCK_HOOKS = prepared(
  'lock_hooks',
  `select id, enabled, failing_since, disabled_reason, disabled_at from webhooks
   where id = any($1::bigint[]) order by id for no key update`,
)

export const settleDelivery: PostgresOperation<'settleDelivery'> = async (client, settlements) => {
  const hookIds = [...new Set(settlements.map(({ lock }) => lock.webhookId))]
  const { rows: hooks } = await client.query<HealthColumns & { id: number }>(LOCK_HOOKS([hookIds]))
  const lanes = settlements.flatMap(({ lock }) => (lock.kind === 'lane' ? [lock] : []))
  const laneFences = lanes.length === 0 ? new Map<string, number>() : await lockLanes(client, lanes)
  const deliveries = await lockDeliveries(client, settlements)
  const isCurrent = (lock: DeliveryLock): boolean =>
    lock.kind === 'lane'
      ? laneFences.get(laneKey(lock.webhookId, lock.instanceId)) === lock.fence
      : deliveries.get(lock.deliveryId)?.fence === lock.fence
  const current = settlements.filter(({ lock }) => isCurrent(lock))
  const written = current.flatMap(({ lock, now, results }) => {
    const wanted = lock.kind === 'lane' ? 'pending' : 'retrying'
    const open = results.filter(({ deliveryId }) => deliveries.get(deliveryId)?.status === wanted)
    return open.map((result) => ({ webhookId: lock.webhookId, now, result }))
  })
  await writeResults(client, written)
  await writeHealths(client, hooks, written)
  const released = current.filter(({ release }) => release)
  await releaseLocks(client, released)
  return settlements.map(({ lock }) => isCurrent(lock))
}

const LOCK_DELIVERIES = prepared(
  'lock_deliveries',
  `select id, status, case when locked_until is not null then fence end as fence from deliveries
   where id = any($1::bigint[]) order by id for update`,
)

async function lockDeliveries(client: QueryClient, settlements: DeliverySettlement[]) {
  const ids = settlements.flatMap(({ lock, results }) => [
    ...(lock.kind === 'retry' ? [lock.deliveryId] : []),
    ...results.map(({ deliveryId }) => deliveryId),
  ])
  const { rows } = await client.query<{ id: number; status: string; fence: number | null }>(
    LOCK_DELIVERIES([ids]),
  )
  return new Map(rows.map((row) => [row.id, row]))
}

const WRITE_RESULTS = prepared(
  'write_delivery_results',
  `with settled as (
     select * from unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[],
       $7::bigint[], $8::bigint[], $9::bigint[], $10::text[], $11::text[], $12::text[]) with ordinality
       as settled (id, status, asked, due_at, delivered_at, now, at, duration_ms, status_code, headers, answer, error,
         ordinal)
   ), attempted as (
     insert into delivery_attempts (delivery_id, at, duration_ms, status_code, headers, answer, error)
     select id, at, duration_ms, status_code, headers, answer, error from settled order by ordinal
   )
   update deliveries set status = settled.status, tries = tries + 1, asked = deliveries.asked + settled.asked,
     due_at = settled.due_at, delivered_at = settled.delivered_at, updated_at = settled.now
   from settled where deliveries.id = settled.id`,
)

interface WrittenResult {
  webhookId: number
  now: number
  result: DeliveryResult
}

async function writeResults(client: QueryClient, written: WrittenResult[]): Promise<void> {
  if (written.length === 0) return
  const results = written.map(({ result }) => result)
  const next = written.map(({ now, result }) => settledDelivery(result.outcome, now))
  const attempts = results.map(({ attempt }) => attempt)
  await client.query(
    WRITE_RESULTS([
      results.map(({ deliveryId }) => deliveryId),
      next.map(({ status }) => status),
      next.map(({ earlyRetries }) => earlyRetries),
      next.map(({ dueAt }) => dueAt),
      next.map(({ deliveredAt }) => deliveredAt),
      written.map(({ now }) => now),
      attempts.map(({ at }) => at),
      attempts.map(({ durationMs }) => durationMs),
      attempts.map(({ statusCode }) => statusCode),
      attempts.map(({ headers }) => headers),
      attempts.map(({ answer }) => answer),
      attempts.map(({ error }) => error),
    ]),
  )
}

async function writeHealths(
  client: QueryClient,
  hooks: (HealthColumns & { id: number })[],
  written: WrittenResult[],
): Promise<void> {
  for (const hook of hooks) {
    const before = toHealth(hook)
    const health = written
      .filter(({ webhookId }) => webhookId === hook.id)
      .reduce((last, { result, now }) => healthAfter(last, verdictOf(result), now), before)
    if (health === before) continue
    await client.query(
      'update webhooks set enabled = $2, failing_since = $3, disabled_reason = $4, disabled_at = $5 where id = $1',
      [hook.id, ...healthValues(health)],
    )
  }
}

async function releaseLocks(client: QueryClient, released: DeliverySettlement[]): Promise<void> {
  const retries = released.flatMap(({ lock }) => (lock.kind === 'retry' ? [lock.deliveryId] : []))
  if (retries.length > 0) {
    await client.query('update deliveries set locked_until = null where id = any($1::bigint[])', [retries])
  }
  const lanes = released.flatMap(({ lock }) => (lock.kind === 'lane' ? [lock] : []))
  await releaseLanes(client, lanes, released[0]?.now ?? 0)
}

const RELEASE_LANES = prepared(
  'release_delivery_lanes',
  `update delivery_lanes set locked_until = null, due_at = case when exists (
     select 1 from deliveries where webhook_id = delivery_lanes.webhook_id
       and instance_id = delivery_lanes.instance_id and status = 'pending') then $3::bigint end
   from unnest($1::bigint[], $2::bigint[]) as free (webhook_id, instance_id)
   where delivery_lanes.webhook_id = free.webhook_id and delivery_lanes.instance_id = free.instance_id`,
)

/** The rows are locked: deliveries appended before that are seen here, and later ones make the lane due again. */
async function releaseLanes(client: QueryClient, lanes: LaneRow[], now: number): Promise<void> {
  if (lanes.length === 0) return
  await client.query(
    RELEASE_LANES([lanes.map((lane) => lane.webhookId), lanes.map((lane) => lane.instanceId), now]),
  )
}
