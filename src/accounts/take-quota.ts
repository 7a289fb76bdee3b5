// Takes one unit of a quota in the transaction that uses it, or refuses.
import type { Resource } from '../contract/account.ts'
import type { Db } from '../store/tables.ts'
import { incrementUsage, type PlanRow } from './account-queries.ts'
import { limitOf, limitReached } from './rules.ts'

/** For resources that are not counted per period. */
export async function takeQuota(tx: Db, accountId: number, plan: PlanRow, resource: Resource): Promise<void> {
  const limit = limitOf(plan, resource)
  const { granted, used } = await incrementUsage(tx, { accountId, resource, period: 0 }, limit)
  if (!granted) throw limitReached(resource, limit, used)
}
