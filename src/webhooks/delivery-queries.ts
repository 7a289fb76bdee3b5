// Deliveries as they are listed and queued again. Claiming and settling are hot operations.
import { type ExpressionBuilder, sql } from 'kysely'
import type { DeliveryStatus } from '../contract/deliveries.ts'
import { PASSES_FILTER } from '../events/append-store.ts'
import type { EventRow } from '../events/queries.ts'
import { chunksOf } from '../store/chunks.ts'
import { lockWebhook } from '../store/locks.ts'
import type { Db, Row, Tables, Transactional } from '../store/tables.ts'
import { DUE_COLUMNS, DUE_TABLES, type DueRow } from './deliveries-store.ts'

/** When the next retry is due, after `now`; undefined: there is none. */
export async function nextRetryAt(db: Db, now: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('deliveries')
    .select('due_at')
    // A literal, here and below, because a partial index is not used with a parameter.
    .where('status', '=', sql.lit('retrying'))
    .where('due_at', '>', now)
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst()
  return row?.due_at ?? undefined
}

/** First attempts of these lanes, in the order of the log, at most `perLane` of each; none while the webhook is disabled. */
export async function firstAttempts(
  db: Db,
  { webhookId, instanceIds, perLane }: { webhookId: number; instanceIds: readonly number[]; perLane: number },
): Promise<DueRow[]> {
  const lanes = instanceIds.map(
    (instanceId) => sql`select * from (
      select ${sql.raw(DUE_COLUMNS)} from ${sql.raw(DUE_TABLES)} join webhooks on webhooks.id = deliveries.webhook_id
      where deliveries.webhook_id = ${webhookId} and deliveries.instance_id = ${instanceId}
        and deliveries.status = 'pending' and webhooks.enabled = 1
      order by deliveries.position limit ${perLane}) as lane`,
  )
  const { rows } = await sql<DueRow>`${sql.join(lanes, sql` union all `)}`.execute(db)
  return rows.sort((a, b) => a.position - b.position)
}

/** Releases the locks of an earlier process, so that its deliveries do not wait until the locks expire. */
export async function freeDeliveryLocks(store: Transactional): Promise<void> {
  const tables = ['delivery_lanes', 'deliveries'] as const
  const found = await Promise.all(
    tables.map((table) =>
      store.db
        .selectFrom(table)
        .select('webhook_id')
        .distinct()
        .where('locked_until', 'is not', null)
        .where(hasNoNode)
        .execute(),
    ),
  )
  for (const webhookId of new Set(found.flat().map((row) => row.webhook_id))) {
    await store.transaction(async (tx) => {
      await lockWebhook(tx, webhookId)
      for (const table of tables) {
        await tx
          .updateTable(table)
          .set({ locked_until: null })
          .where('webhook_id', '=', webhookId)
          .where('locked_until', 'is not', null)
          .where(hasNoNode)
          .execute()
      }
    })
  }
}

/** The node that locked it is gone, or the process before this one was the only one. */
const hasNoNode = sql<boolean>`(node_id is null or node_id not in (select id from nodes where status in ('live', 'draining')))`

export async function countWaitingDeliveries(db: Db): Promise<number> {
  let waiting = 0
  // Two counts, each answered by a partial index.
  for (const status of ['pending', 'retrying'] as const) {
    const row = await db
      .selectFrom('deliveries')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('status', '=', sql.lit(status))
      .executeTakeFirstOrThrow()
    waiting += row.count
  }
  return waiting
}

export interface ListedDelivery extends EventRow {
  id: number
  status: string
  tries: number
  due_at: number | null
  delivered_at: number | null
  queued_at: number
}
export type AttemptRow = Row<'delivery_attempts'>

const withEvent = (db: Db) =>
  db
    .selectFrom('deliveries')
    .innerJoin('events', (join) =>
      join
        .onRef('events.account_id', '=', 'deliveries.account_id')
        .onRef('events.position', '=', 'deliveries.position'),
    )
    .innerJoin('instances', 'instances.id', 'deliveries.instance_id')
    .selectAll('events')
    .select(['instances.display_name', 'instances.api_name'])
    .select(['deliveries.id', 'deliveries.status', 'deliveries.tries', 'deliveries.due_at'])
    .select(['deliveries.delivered_at', 'deliveries.created_at as queued_at'])

export interface DeliveryFilter {
  webhookId: number
  status: DeliveryStatus | undefined
  limit: number
  offset: number
}

export const listDeliveries = (db: Db, filter: DeliveryFilter): Promise<ListedDelivery[]> =>
  withEvent(db)
    .where('deliveries.webhook_id', '=', filter.webhookId)
    .$if(filter.status !== undefined, (q) =>
      q.where('deliveries.status', '=', sql.lit(filter.status as DeliveryStatus)),
    )
    .orderBy('deliveries.position', 'desc')
    .limit(filter.limit)
    .offset(filter.offset)
    .execute()

export const findDelivery = (db: Db, webhookId: number, id: number): Promise<ListedDelivery | undefined> =>
  withEvent(db)
    .where('deliveries.id', '=', id)
    .where('deliveries.webhook_id', '=', webhookId)
    .executeTakeFirst()

export const listAttempts = async (db: Db, deliveryIds: number[]): Promise<AttemptRow[]> =>
  deliveryIds.length === 0
    ? []
    : db
        .selectFrom('delivery_attempts')
        .selectAll()
        .where('delivery_id', 'in', deliveryIds)
        .orderBy('id')
        .execute()

/** Resets a delivery to its state before the first attempt. The new fencing token rejects a worker that is posting it now. */
const resetColumns = (eb: ExpressionBuilder<Tables, 'deliveries'>, now: number) => ({
  status: 'pending',
  tries: 0,
  asked: 0,
  due_at: null,
  locked_until: null,
  fence: eb('deliveries.fence', '+', 1),
  delivered_at: null,
  updated_at: now,
})

/** The caller's transaction has locked the webhook, here and below. */
export async function requeueDelivery(
  tx: Db,
  { id, webhookId, instanceId }: { id: number; webhookId: number; instanceId: number },
  now: number,
): Promise<void> {
  await makeLanesDue(tx, webhookId, [instanceId], now)
  await tx
    .updateTable('deliveries')
    .set((eb) => resetColumns(eb, now))
    .where('id', '=', id)
    .where('status', '<>', 'pending')
    .execute()
}

/** Lanes are locked in the order of their key, as everywhere. */
async function makeLanesDue(tx: Db, webhookId: number, instanceIds: number[], now: number): Promise<void> {
  for (const instanceId of instanceIds.toSorted((a, b) => a - b)) {
    await tx
      .insertInto('delivery_lanes')
      .values({ webhook_id: webhookId, instance_id: instanceId, due_at: now })
      .onConflict((oc) =>
        oc.columns(['webhook_id', 'instance_id']).doUpdateSet((eb) => ({
          due_at: eb.fn.coalesce('delivery_lanes.due_at', 'excluded.due_at'),
        })),
      )
      .execute()
  }
}

export interface Replay {
  webhook: Pick<Row<'webhooks'>, 'id' | 'account_id' | 'instance_id'>
  /** Null: all of them. */
  events: string[] | null
  since: number
  limit: number
  now: number
}

/** The events since then that the webhook subscribes to and that pass its filter, oldest first. */
async function eventsSince(tx: Db, { webhook, events, since, limit }: Replay) {
  // Positions are almost in the order of time. A scan from the end reads no more rows than will be replayed.
  const before = await tx
    .selectFrom('events')
    .select('position')
    .where('account_id', '=', webhook.account_id)
    .where('created_at', '<', since)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  return tx
    .selectFrom('events')
    .innerJoin('webhooks', 'webhooks.account_id', 'events.account_id')
    .select(['events.position', 'events.instance_id', 'events.created_at'])
    .where('webhooks.id', '=', webhook.id)
    .where('events.account_id', '=', webhook.account_id)
    .where('events.position', '>', before?.position ?? 0)
    .$if(webhook.instance_id !== null, (q) =>
      q.where('events.instance_id', '=', webhook.instance_id as number),
    )
    .$if(events !== null, (q) => q.where('events.name', 'in', events as string[]))
    .where(sql<boolean>`${sql.raw(PASSES_FILTER)}`)
    .orderBy('events.position')
    .limit(limit)
    .execute()
}

/** Queues a delivery of each event, as if for its first attempt. Returns their number, and the time of the last event. */
export async function replayEvents(
  tx: Db,
  replay: Replay,
): Promise<{ queued: number; until: number | null }> {
  const { webhook, now } = replay
  const found = await eventsSince(tx, replay)
  await makeLanesDue(tx, webhook.id, [...new Set(found.map((event) => event.instance_id))], now)
  for (const events of chunksOf(found)) {
    const rows = events.map(({ position, instance_id }) => ({
      webhook_id: webhook.id,
      account_id: webhook.account_id,
      instance_id,
      position,
      status: 'pending',
      created_at: now,
      updated_at: now,
    }))
    await tx
      .insertInto('deliveries')
      .values(rows)
      .onConflict((oc) =>
        oc
          .columns(['webhook_id', 'position'])
          .doUpdateSet((eb) => resetColumns(eb as never, now))
          .where('deliveries.status', '<>', 'pending'),
      )
      .execute()
  }
  return { queued: found.length, until: found.at(-1)?.created_at ?? null }
}
