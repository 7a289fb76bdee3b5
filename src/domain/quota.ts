// Quotas: what a plan allows of a resource, counted in the transaction that uses it, and refused when it is used up.
import type { Resource, UNLIMITED } from '../contract/account.ts'
import { GatewayError } from '../errors.ts'
import type { PlanRow } from '../store/queries/accounts.ts'
import { takeUsage } from '../store/queries/usage.ts'
import type { Db } from '../store/tables.ts'

type Amount = number | typeof UNLIMITED
export interface PlanLimits {
  users: Amount
  contacts: Amount
  instances: Amount
  /** Null: the plan does not meter messages. */
  messages: Amount | null
}

export const limitsOf = (plan: Pick<PlanRow, 'limits'>): PlanLimits => JSON.parse(plan.limits) as PlanLimits

/** As a number, or null where there is no limit. */
export function limitOf(plan: Pick<PlanRow, 'limits'>, resource: Resource): number | null {
  const limit = limitsOf(plan)[resource]
  return typeof limit === 'number' ? limit : null
}

export const limitReached = (resource: string, limit: number | null, used: number): GatewayError =>
  new GatewayError('limit_reached', { resource, limit, used })

/** Counts one more of a resource that is not counted per period, or refuses. */
export async function takeQuota(tx: Db, accountId: number, plan: PlanRow, resource: Resource): Promise<void> {
  const limit = limitOf(plan, resource)
  const { granted, used } = await takeUsage(tx, { accountId, resource, period: 0 }, limit)
  if (!granted) throw limitReached(resource, limit, used)
}
