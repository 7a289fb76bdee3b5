// Usage of each resource by an account, counted in the transaction that uses it, so that a limit is never exceeded.
import type { Resource } from '../contract/account.ts'
import type { Db } from '../store/tables.ts'

export interface Counted {
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
