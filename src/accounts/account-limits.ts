// The limits of an account: plan, subscription, and how much of each resource is used.
import type { z } from 'zod'
import type { Deps } from '../context.ts'
import type { accountLimits, Interval, Resource, ResourceLimit } from '../contract/account.ts'
import type { Caller } from './caller.ts'
import { currentPeriod, limitsOf, toSubscription, usageOf } from './rules.ts'
import { readUsage } from './usage-queries.ts'

type Limits = Omit<z.output<typeof accountLimits.answer>, 'success'>

export async function readAccountLimits(
  deps: Pick<Deps, 'store' | 'clock'>,
  caller: Caller,
): Promise<Limits> {
  const now = deps.clock()
  const { account, plan } = caller
  const planLimits = limitsOf(plan)
  const limit = async (
    resource: Resource,
    period: number,
  ): Promise<z.output<typeof ResourceLimit> | null> => {
    const allowed = planLimits[resource]
    if (allowed === null) return null
    return usageOf(allowed, await readUsage(deps.store.db, { accountId: account.id, resource, period }))
  }
  return {
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

/** The start of the period in which messages of the account are counted. */
export const messagePeriod = ({ account, plan }: Pick<Caller, 'account' | 'plan'>, now: number): number =>
  currentPeriod(account.current_period_start, plan.interval as Interval, now)
