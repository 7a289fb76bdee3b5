// Row locks, and the order in which every transaction takes them (decision 0078):
//
//   instances → usage of contacts and messages → rows of an instance → accounts → usage of instances and users, users, API keys
//   → webhooks → delivery lanes → deliveries
//
// Rows of one table are locked in the order of their key. Rows of an instance (lanes, messages, chats, contacts, groups, session
// keys) are changed only while their instance is locked, and need no order among themselves. A transaction that adds a row to an
// account, or deletes the account, locks the account.
import type { Db } from './tables.ts'

/** False: the instance is deleted, and must not be written to. */
export async function lockInstance(tx: Db, instanceId: number): Promise<boolean> {
  const row = await tx
    .updateTable('instances')
    .set((eb) => ({ queued_count: eb.ref('queued_count') }))
    .where('id', '=', instanceId)
    .where('deleted_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Locks all instances of an account, including deleted ones, so that the account can be deleted. */
export async function lockInstancesOf(tx: Db, accountId: number): Promise<number[]> {
  const rows = await tx
    .selectFrom('instances')
    .select('id')
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute()
  for (const { id } of rows) {
    await tx
      .updateTable('instances')
      .set((eb) => ({ queued_count: eb.ref('queued_count') }))
      .where('id', '=', id)
      .execute()
  }
  return rows.map(({ id }) => id)
}

/** Serializes transactions that count rows before they insert one. False: the account is deleted. */
export async function lockAccount(tx: Db, id: number): Promise<boolean> {
  const row = await tx
    .updateTable('accounts')
    .set((eb) => ({ name: eb.ref('name') }))
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** A request of an account passes its id, so that it cannot lock the webhook of another account. */
export async function lockWebhook(tx: Db, id: number, accountId?: number): Promise<void> {
  await tx
    .updateTable('webhooks')
    .set((eb) => ({ name: eb.ref('name') }))
    .where('id', '=', id)
    .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId as number))
    .execute()
}
