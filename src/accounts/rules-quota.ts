// Quotas: how much of a resource a plan allows, and how a refusal reports it.
import type { z } from 'zod'
import { type Resource, type ResourceLimit, UNLIMITED } from '../contract/account.ts'
import { GatewayError } from '../errors.ts'

type Amount = number | typeof UNLIMITED

export interface PlanLimits {
  users: Amount
  contacts: Amount
  instances: Amount
  /** Null: the plan does not count messages. */
  messages: Amount | null
}

/** `limits` is a column of the plan's row. */
export const limitsOf = (plan: { limits: string }): PlanLimits => JSON.parse(plan.limits) as PlanLimits

/** Null where there is no limit. */
export function limitOf(plan: { limits: string }, resource: Resource): number | null {
  const limit = limitsOf(plan)[resource]
  return typeof limit === 'number' ? limit : null
}

export const limitReached = (resource: string, limit: number | null, used: number): GatewayError =>
  new GatewayError('limit_reached', { resource, limit, used })

export function usageOf(allowed: Amount, used: number): z.output<typeof ResourceLimit> {
  if (allowed === UNLIMITED) return { limit: UNLIMITED, used, remaining: UNLIMITED, isLimitReached: false }
  // More can be in use than the plan allows, after a change to a smaller plan.
  return { limit: allowed, used, remaining: Math.max(0, allowed - used), isLimitReached: used >= allowed }
}
