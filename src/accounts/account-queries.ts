// Plans, accounts with their subscription, users, and the usage of each resource.

import type { Resource } from '../contract/account.ts'
import type { Db, NewRow, Row, RowChange } from '../store/tables.ts'
import { deleteWebhooksOf } from '../webhooks/webhook-queries.ts'

// Plans, accounts with their subscription, and users.

export type PlanRow = Row<'plans'>
export type AccountRow = Row<'accounts'>
export type UserRow = Row<'users'>

export interface RowRange {
  limit: number
  offset: number
}

export const listPlans = (db: Db, { limit, offset }: RowRange): Promise<PlanRow[]> =>
  db.selectFrom('plans').selectAll().orderBy('id').limit(limit).offset(offset).execute()

export const findPlan = (db: Db, id: number): Promise<PlanRow | undefined> =>
  db.selectFrom('plans').selectAll().where('id', '=', id).executeTakeFirst()

export const insertPlan = (tx: Db, row: NewRow<'plans'>): Promise<PlanRow> =>
  tx.insertInto('plans').values(row).returningAll().executeTakeFirstOrThrow()

export const updatePlan = (tx: Db, id: number, change: RowChange<'plans'>): Promise<PlanRow | undefined> =>
  tx.updateTable('plans').set(change).where('id', '=', id).returningAll().executeTakeFirst()

export const deletePlan = (tx: Db, id: number): Promise<{ id: number } | undefined> =>
  tx.deleteFrom('plans').where('id', '=', id).returning('id').executeTakeFirst()

export const listAccounts = (db: Db, { limit, offset }: RowRange): Promise<AccountRow[]> =>
  db.selectFrom('accounts').selectAll().orderBy('id').limit(limit).offset(offset).execute()

export const findAccount = (db: Db, id: number): Promise<AccountRow | undefined> =>
  db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst()

export const findFirstAccount = (db: Db): Promise<AccountRow | undefined> =>
  db.selectFrom('accounts').selectAll().orderBy('id').limit(1).executeTakeFirst()

export const insertAccount = (tx: Db, row: NewRow<'accounts'>): Promise<AccountRow> =>
  tx.insertInto('accounts').values(row).returningAll().executeTakeFirstOrThrow()

export const updateAccount = (
  tx: Db,
  id: number,
  change: RowChange<'accounts'>,
): Promise<AccountRow | undefined> =>
  tx.updateTable('accounts').set(change).where('id', '=', id).returningAll().executeTakeFirst()

export const deleteAccount = (tx: Db, id: number): Promise<{ id: number } | undefined> =>
  tx.deleteFrom('accounts').where('id', '=', id).returning('id').executeTakeFirst()

export const listUsers = (db: Db, accountId: number, { limit, offset }: RowRange): Promise<UserRow[]> =>
  db
    .selectFrom('users')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute()

export const findUser = (db: Db, accountId: number, id: number): Promise<UserRow | undefined> =>
  db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst()

export const insertUser = (tx: Db, row: NewRow<'users'>): Promise<UserRow> =>
  tx.insertInto('users').values(row).returningAll().executeTakeFirstOrThrow()

export const updateUser = (
  tx: Db,
  accountId: number,
  id: number,
  change: RowChange<'users'>,
): Promise<UserRow | undefined> =>
  tx
    .updateTable('users')
    .set(change)
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .returningAll()
    .executeTakeFirst()

export const deleteUser = (tx: Db, accountId: number, id: number): Promise<{ id: number } | undefined> =>
  tx
    .deleteFrom('users')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .returning('id')
    .executeTakeFirst()

/** Deletes the rows of an account whose instances were all deleted. */
export async function deleteAccountRows(tx: Db, accountId: number): Promise<void> {
  await deleteWebhooksOf(tx, 'account_id', accountId)
  await tx.deleteFrom('events').where('account_id', '=', accountId).execute()
  await tx.deleteFrom('audit').where('account_id', '=', accountId).execute()
  await tx.deleteFrom('hourly_counts').where('account_id', '=', accountId).execute()
  await tx.deleteFrom('messages').where('account_id', '=', accountId).execute()
  await tx
    .deleteFrom('sent_payloads')
    .where('instance_id', 'in', (eb) =>
      eb.selectFrom('instances').select('id').where('account_id', '=', accountId),
    )
    .execute()
  await tx.deleteFrom('instances').where('account_id', '=', accountId).execute()
}

// Usage of each resource by an account, counted in the transaction that uses it, so that a limit is never exceeded.

interface Counted {
  accountId: number
  resource: Resource
  /** Start of the period for what is counted per period, else 0. */
  period: number
}

/** Counts one more, unless the limit is reached. Returns whether it was granted, and how many are used now. */
export async function incrementUsage(
  tx: Db,
  counted: Counted,
  limit: number | null,
): Promise<{ granted: boolean; used: number }> {
  await tx
    .insertInto('usage')
    .values({ account_id: counted.accountId, resource: counted.resource, period: counted.period, used: 0 })
    .onConflict((oc) => oc.columns(['account_id', 'resource', 'period']).doNothing())
    .execute()
  const taken = await tx
    .updateTable('usage')
    .set((eb) => ({ used: eb('used', '+', 1) }))
    .where((eb) => eb.and(columns(counted)))
    .$if(limit !== null, (query) => query.where('used', '<', limit as number))
    .returning('used')
    .executeTakeFirst()
  return taken ? { granted: true, used: taken.used } : { granted: false, used: await readUsage(tx, counted) }
}

export async function decrementUsage(tx: Db, counted: Counted, amount = 1): Promise<void> {
  await tx
    .updateTable('usage')
    .set((eb) => ({ used: eb('used', '-', amount) }))
    .where((eb) => eb.and(columns(counted)))
    .execute()
}

export async function readUsage(
  db: Db,
  counted: Omit<Counted, 'resource'> & { resource: string },
): Promise<number> {
  const row = await db
    .selectFrom('usage')
    .select('used')
    .where((eb) => eb.and(columns(counted)))
    .executeTakeFirst()
  return row?.used ?? 0
}

/** What a key has sent on a day. */
export const readKeyUsage = (
  db: Db,
  accountId: number,
  { id, day }: { id: number; day: number },
): Promise<number> => readUsage(db, { accountId, resource: `key:${id}`, period: day })

const columns = ({ accountId, resource, period }: Omit<Counted, 'resource'> & { resource: string }) => ({
  account_id: accountId,
  resource,
  period,
})
