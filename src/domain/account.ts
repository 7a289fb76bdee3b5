// The account as its own keys see it: plan, subscription, usage and limits (spec 8).
import type { z } from 'zod'
import {
  type accountLimits,
  type Interval,
  type Resource,
  type ResourceLimit,
  UNLIMITED,
} from '../contract/account.ts'
import { readUsage } from '../store/queries/usage.ts'
import type { Caller } from './caller.ts'
import type { Deps } from './deps.ts'
import { messagePeriod } from './messages.ts'
import { limitsOf } from './quota.ts'
import { toSubscription } from './subscription.ts'

type Limits = z.output<typeof accountLimits.answer>

export async function accountLimitsOf(deps: Pick<Deps, 'store' | 'clock'>, caller: Caller): Promise<Limits> {
  const now = deps.clock()
  const { account, plan } = caller
  const planLimits = limitsOf(plan)
  const limit = async (
    resource: Resource,
    period: number,
  ): Promise<z.output<typeof ResourceLimit> | null> => {
    const allowed = planLimits[resource]
    if (allowed === null) return null
    return toLimit(allowed, await readUsage(deps.store.db, { accountId: account.id, resource, period }))
  }
  return {
    success: true,
    account: { teamId: account.id, teamName: account.name },
    plan: {
      id: plan.id,
      name: plan.name,
      interval: plan.interval as Interval,
      currency: plan.currency,
      amount: plan.amount,
    },
    subscription: toSubscription(account, now),
    limits: {
      users: await limit('users', 0),
      contacts: await limit('contacts', 0),
      instances: await limit('instances', 0),
      messages: await limit('messages', messagePeriod(caller, now)),
    },
    features: JSON.parse(plan.features) as Limits['features'],
  }
}

export function toLimit(allowed: number | typeof UNLIMITED, used: number): z.output<typeof ResourceLimit> {
  if (allowed === UNLIMITED) return { limit: UNLIMITED, used, remaining: UNLIMITED, isLimitReached: false }
  // A plan can shrink below what is in use.
  return { limit: allowed, used, remaining: Math.max(0, allowed - used), isLimitReached: used >= allowed }
}
