// Subscription rules: who has access, until when, and in which period a message is counted (decision 0015).
import type { z } from 'zod'
import type { Interval, Subscription, SubscriptionStatus } from '../contract/account.ts'
import { isoOrNull } from '../kernel/time.ts'

/** Columns of an account's row; times in milliseconds. */
interface Dates {
  status: string
  current_period_end: number | null
  trial_ends_at: number | null
  expires_at: number | null
}

/** When the access of each status ends; undefined: no access, null: no end. */
const ACCESS_UNTIL: Record<SubscriptionStatus, (dates: Dates) => number | null | undefined> = {
  active: () => null,
  past_due: () => null,
  trialing: (dates) => dates.trial_ends_at,
  canceled: (dates) => dates.current_period_end ?? undefined,
  expired: () => undefined,
  pending: () => undefined,
}

const statusOf = (dates: Dates): SubscriptionStatus => dates.status as SubscriptionStatus

/** The earliest time at which access ends; null if it has no end. */
function effectiveExpiry(dates: Dates): number | null {
  const ends = [ACCESS_UNTIL[statusOf(dates)](dates), dates.expires_at].filter(
    (end) => typeof end === 'number',
  )
  return ends.length > 0 ? Math.min(...ends) : null
}

export function hasAccess(dates: Dates, now: number): boolean {
  if (ACCESS_UNTIL[statusOf(dates)](dates) === undefined) return false
  const end = effectiveExpiry(dates)
  return end === null || now < end
}

export function toSubscription(dates: Dates, now: number): z.output<typeof Subscription> {
  const status = statusOf(dates)
  const end = effectiveExpiry(dates)
  return {
    status,
    hasAccess: hasAccess(dates, now),
    isExpired: status === 'expired' || (end !== null && end <= now),
    isTrial: status === 'trialing',
    isCancelled: status === 'canceled',
    isPending: status === 'pending',
    isPastDue: status === 'past_due',
    effectiveExpiry: isoOrNull(end),
    currentPeriodEnd: isoOrNull(dates.current_period_end),
    trialEndsAt: isoOrNull(dates.trial_ends_at),
    expiresAt: isoOrNull(dates.expires_at),
  }
}

const DAY_MS = 24 * 60 * 60 * 1000

/** The start of the n-th period after `anchor`. Months start on the anchor's day, or on the last day of a shorter month. */
export function periodStart(anchor: number, interval: Interval, n: number): number {
  if (interval === 'day') return anchor + n * DAY_MS
  if (interval === 'week') return anchor + n * 7 * DAY_MS
  const start = new Date(anchor)
  const months = start.getUTCMonth() + n * (interval === 'year' ? 12 : 1)
  const lastDay = new Date(Date.UTC(start.getUTCFullYear(), months + 1, 0)).getUTCDate()
  const moved = new Date(anchor)
  moved.setUTCFullYear(start.getUTCFullYear(), months, Math.min(start.getUTCDate(), lastDay))
  return moved.getTime()
}

const LONGEST_MS: Record<Interval, number> = {
  day: DAY_MS,
  week: 7 * DAY_MS,
  month: 31 * DAY_MS,
  year: 366 * DAY_MS,
}

/** The start of the period that contains `now`. Periods continue automatically, without renewal by the operator. */
export function currentPeriod(anchor: number, interval: Interval, now: number): number {
  if (now < anchor) return anchor
  let n = Math.floor((now - anchor) / LONGEST_MS[interval])
  while (periodStart(anchor, interval, n + 1) <= now) n += 1
  return periodStart(anchor, interval, n)
}
