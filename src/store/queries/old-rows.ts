// Deletes old rows in small batches, so that no statement delays others for long. Rows that another transaction has locked are left
// for the next pass, so that no pass waits while it holds locks (decision 0078).
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../tables.ts'

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

export const deleteOldIdempotencyKeys = (store: OldRows, createdBefore: number): Promise<number> =>
  deleteInBatches(
    store,
    sql`delete from idempotency_keys where (account_id, key) in (
      select account_id, key from idempotency_keys where created_at < ${createdBefore} limit ${sql.lit(BATCH_SIZE)}
      ${skipLocked(store, 'idempotency_keys')})`,
  )

/** Only arrivals that were processed. An unprocessed one stays, however old it is. */
export const deleteProcessedArrivals = (store: OldRows, processedBefore: number): Promise<number> =>
  deleteInBatches(
    store,
    sql`delete from inbox where (instance_id, name) in (
      select instance_id, name from inbox where received_at < ${processedBefore}
        and processed_at < ${processedBefore} limit ${sql.lit(BATCH_SIZE)}
      ${skipLocked(store, 'inbox')})`,
  )

export const deleteOldSentPayloads = (store: OldRows, createdBefore: number): Promise<number> =>
  deleteInBatches(
    store,
    sql`delete from sent_payloads where (instance_id, message_id) in (
      select instance_id, message_id from sent_payloads where created_at < ${createdBefore} limit ${sql.lit(BATCH_SIZE)}
      ${skipLocked(store, 'sent_payloads')})`,
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
  deleteInBatches(
    store,
    sql`delete from events where (account_id, position) in (
      select account_id, position from events where created_at < ${createdBefore} and not exists (
        select 1 from webhooks join deliveries
          on deliveries.webhook_id = webhooks.id and deliveries.position = events.position
        where webhooks.account_id = events.account_id)
      limit ${sql.lit(BATCH_SIZE)}
      ${skipLocked(store, 'events')})`,
  )

/** All deliveries of a webhook that will be deleted, with their attempts. */
export const deleteDeliveriesOf = (store: OldRows, webhookId: number): Promise<number> =>
  deleteInBatches(
    store,
    sql`delete from deliveries where id in (
      select id from deliveries where webhook_id = ${webhookId} limit ${sql.lit(BATCH_SIZE)}
      ${skipLocked(store, 'deliveries')})`,
  )

export const deleteOldKnownNumbers = (store: OldRows, askedBefore: number): Promise<number> =>
  deleteInBatches(
    store,
    sql`delete from known_numbers where (instance_id, number) in (
      select instance_id, number from known_numbers where asked_at < ${askedBefore} limit ${sql.lit(BATCH_SIZE)}
      ${skipLocked(store, 'known_numbers')})`,
  )
