// Deletes old rows in small batches, so that no statement delays others for long. Rows that another transaction has locked are left
// for the next pass, so that no pass waits while it holds locks (decision 0078).
import { type RawBuilder, sql } from 'kysely'
import { personJid } from '../network/jid.ts'
import type { Db } from './tables.ts'

/** The database, and the engine, which decides how locked rows are skipped. */
export interface OldRows {
  readonly db: Db
  readonly engine: 'sqlite' | 'postgres'
}

/** On SQLite no row can be locked, because only one transaction writes at a time. */
const skipLocked = ({ engine }: OldRows, table: string): RawBuilder<unknown> =>
  engine === 'postgres' ? sql`for update of ${sql.table(table)} skip locked` : sql``

const BATCH_SIZE = 2000

async function deleteInBatches({ db }: OldRows, oneBatch: RawBuilder<unknown>): Promise<number> {
  for (let total = 0; ; ) {
    const { numAffectedRows } = await oneBatch.execute(db)
    total += Number(numAffectedRows ?? 0)
    if (Number(numAffectedRows ?? 0) < BATCH_SIZE) return total
  }
}

/** Deletes the rows of a table that meet a condition. `key` is its primary key. */
function deleteRows(
  store: OldRows,
  table: string,
  key: readonly string[],
  condition: RawBuilder<unknown>,
): Promise<number> {
  const columns = sql.join(key.map((column) => sql.ref(column)))
  return deleteInBatches(
    store,
    sql`delete from ${sql.table(table)} where (${columns}) in (
      select ${columns} from ${sql.table(table)} where ${condition} limit ${sql.lit(BATCH_SIZE)}
      ${skipLocked(store, table)})`,
  )
}

export const deleteOldIdempotencyKeys = (store: OldRows, createdBefore: number): Promise<number> =>
  deleteRows(store, 'idempotency_keys', ['account_id', 'key'], sql`created_at < ${createdBefore}`)

/** What keys have sent on past days. */
export const deleteOldKeyUsage = (store: OldRows, daysBefore: number): Promise<number> =>
  deleteRows(
    store,
    'usage',
    ['account_id', 'resource', 'period'],
    sql`resource like 'key:%' and period < ${daysBefore}`,
  )

export const deleteOldAudit = (store: OldRows, before: number): Promise<number> =>
  deleteRows(store, 'audit', ['id'], sql`at < ${before}`)

export const deleteOldCounts = (store: OldRows, before: number): Promise<number> =>
  deleteRows(
    store,
    'hourly_counts',
    ['account_id', 'instance_id', 'hour', 'metric', 'label'],
    sql`hour < ${before}`,
  )

/** All but the latest entries of each account. */
export const deleteAuditBeyond = (store: OldRows, most: number): Promise<number> =>
  deleteRows(
    store,
    'audit',
    ['id'],
    sql`id in (select id from (select id, row_number() over (partition by account_id order by id desc) as place
      from audit) as placed where place > ${most})`,
  )

/** Decided or not: the message of the send says how it ended. */
export const deleteOldApprovals = (store: OldRows, endedBefore: number): Promise<number> =>
  deleteRows(store, 'approvals', ['instance_id', 'message_id'], sql`expires_at < ${endedBefore}`)

/** Only arrivals that were processed. An unprocessed one stays, however old it is. */
export const deleteProcessedArrivals = (store: OldRows, processedBefore: number): Promise<number> =>
  deleteRows(
    store,
    'inbox',
    ['instance_id', 'name'],
    sql`received_at < ${processedBefore} and processed_at < ${processedBefore}`,
  )

export const deleteOldSetAside = (store: OldRows, createdBefore: number): Promise<number> =>
  deleteRows(store, 'set_aside', ['id'], sql`created_at < ${createdBefore}`)

/** Deaths of processes while they handled an arrival. */
export const deleteOldDeaths = (store: OldRows, updatedBefore: number): Promise<number> =>
  deleteRows(store, 'arrival_deaths', ['instance_id', 'name'], sql`updated_at < ${updatedBefore}`)

/** On PostgreSQL whole days are dropped (day-partitions.ts), and rows are deleted only where no day has a partition. */
const undivided = ({ engine }: OldRows, table: string): string =>
  engine === 'postgres' ? `${table}_default` : table

export const deleteOldSentPayloads = (store: OldRows, createdBefore: number): Promise<number> =>
  deleteRows(
    store,
    undivided(store, 'sent_payloads'),
    ['instance_id', 'message_id', 'created_at'],
    sql`created_at < ${createdBefore}`,
  )

/** Attempts whose delivery is gone. On SQLite they go with it. */
export const deleteOldAttempts = async (store: OldRows, madeBefore: number): Promise<number> =>
  store.engine === 'sqlite'
    ? 0
    : deleteRows(
        store,
        undivided(store, 'delivery_attempts'),
        ['id', 'at'],
        sql`at < ${madeBefore} and not exists (select 1 from deliveries where deliveries.id = delivery_id)`,
      )

/** Only deliveries that are settled, and those of disabled webhooks. */
export const deleteOldDeliveries = (store: OldRows, createdBefore: number): Promise<number> =>
  deleteInBatches(
    store,
    sql`delete from deliveries where id in (
      select deliveries.id from deliveries join webhooks on webhooks.id = deliveries.webhook_id
      where deliveries.created_at < ${createdBefore} and (status in ('delivered', 'dead') or enabled = 0)
      limit ${sql.lit(BATCH_SIZE)}
      ${skipLocked(store, 'deliveries')})`,
  )

/** Only events without a delivery. */
export const deleteOldEvents = (store: OldRows, createdBefore: number): Promise<number> =>
  deleteRows(
    store,
    'events',
    ['account_id', 'position'],
    sql`created_at < ${createdBefore} and not exists (
        select 1 from webhooks join deliveries
          on deliveries.webhook_id = webhooks.id and deliveries.position = events.position
        where webhooks.account_id = events.account_id)`,
  )

/** All deliveries of a webhook that will be deleted, with their attempts. */
export const deleteDeliveriesOf = (store: OldRows, webhookId: number): Promise<number> =>
  store.engine === 'sqlite'
    ? deleteRows(store, 'deliveries', ['id'], sql`webhook_id = ${webhookId}`)
    : deleteInBatches(
        store,
        sql`with chosen as materialized (
            select id from deliveries where webhook_id = ${webhookId} limit ${sql.lit(BATCH_SIZE)}
            ${skipLocked(store, 'deliveries')}
          ), attempts as (
            delete from delivery_attempts where delivery_id in (select id from chosen)
          )
          delete from deliveries where id in (select id from chosen)`,
      )

export const deleteOldCalls = (store: OldRows, changedBefore: number): Promise<number> =>
  deleteRows(store, 'calls', ['instance_id', 'id'], sql`updated_at < ${changedBefore}`)

/** A confirmed other form of the number stays: keys with walls need it to see the chat (decision 0190). */
export const deleteOldKnownNumbers = (store: OldRows, askedBefore: number): Promise<number> =>
  deleteRows(
    store,
    'known_numbers',
    ['instance_id', 'number'],
    sql`asked_at < ${askedBefore} and (is_confirmed = 0 or jid is null or jid = number || ${personJid('')})`,
  )
