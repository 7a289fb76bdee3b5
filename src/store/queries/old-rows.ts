// Rows whose time is over, taken out in small bites: one statement never holds up the others for long.
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../tables.ts'

const BATCH_SIZE = 2000

async function removeBatches(db: Db, oneBatch: RawBuilder<unknown>): Promise<number> {
  for (let total = 0; ; ) {
    const { numAffectedRows } = await oneBatch.execute(db)
    total += Number(numAffectedRows ?? 0)
    if (Number(numAffectedRows ?? 0) < BATCH_SIZE) return total
  }
}

export const forgetIdempotencyKeys = (db: Db, createdBefore: number): Promise<number> =>
  removeBatches(
    db,
    sql`delete from idempotency_keys where (account_id, key) in (
      select account_id, key from idempotency_keys where created_at < ${createdBefore} limit ${sql.lit(BATCH_SIZE)})`,
  )

/** Only what has become a message; what still waits stays however old it is. */
export const forgetArrivals = (db: Db, processedBefore: number): Promise<number> =>
  removeBatches(
    db,
    sql`delete from inbox where (instance_id, name) in (
      select instance_id, name from inbox where received_at < ${processedBefore}
        and processed_at < ${processedBefore} limit ${sql.lit(BATCH_SIZE)})`,
  )

export const forgetSentPayloads = (db: Db, createdBefore: number): Promise<number> =>
  removeBatches(
    db,
    sql`delete from sent_payloads where (instance_id, message_id) in (
      select instance_id, message_id from sent_payloads where created_at < ${createdBefore} limit ${sql.lit(BATCH_SIZE)})`,
  )

/** Never what is still to be tried; but what a disabled webhook left behind is not waited for any longer. */
export const forgetDeliveries = (db: Db, createdBefore: number): Promise<number> =>
  removeBatches(
    db,
    sql`delete from deliveries where id in (
      select deliveries.id from deliveries join webhooks on webhooks.id = deliveries.webhook_id
      where deliveries.created_at < ${createdBefore} and (status in ('delivered', 'dead') or enabled = 0)
      limit ${sql.lit(BATCH_SIZE)})`,
  )

/** Only where no delivery is left that carries it. */
export const forgetEvents = (db: Db, createdBefore: number): Promise<number> =>
  removeBatches(
    db,
    sql`delete from events where (account_id, position) in (
      select account_id, position from events where created_at < ${createdBefore} and not exists (
        select 1 from webhooks join deliveries
          on deliveries.webhook_id = webhooks.id and deliveries.position = events.position
        where webhooks.account_id = events.account_id)
      limit ${sql.lit(BATCH_SIZE)})`,
  )

/** All deliveries of a webhook that is to go, with their attempts. */
export const removeDeliveries = (db: Db, webhookId: number): Promise<number> =>
  removeBatches(
    db,
    sql`delete from deliveries where id in (
      select id from deliveries where webhook_id = ${webhookId} limit ${sql.lit(BATCH_SIZE)})`,
  )

export const forgetKnownNumbers = (db: Db, askedBefore: number): Promise<number> =>
  removeBatches(
    db,
    sql`delete from known_numbers where (instance_id, number) in (
      select instance_id, number from known_numbers where asked_at < ${askedBefore} limit ${sql.lit(BATCH_SIZE)})`,
  )
