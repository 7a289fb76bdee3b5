// The steps of statistics: how a range of time is divided, and what the counts in one step say about times.
import { DELIVERY_BOUNDS_MS, HOUR_MS } from './rules-counted.ts'

const DAY_MS = 24 * HOUR_MS

/** How a range that ends now is divided: at most about thirty steps, which fit side by side on a phone. */
const RANGES = {
  day: { stepMs: HOUR_MS, steps: 24 },
  week: { stepMs: 6 * HOUR_MS, steps: 28 },
  month: { stepMs: DAY_MS, steps: 30 },
} as const

export interface Steps {
  /** The start of the first step. */
  first: number
  stepMs: number
  count: number
}

/** Steps begin at full hours, quarters of days and midnights of a clock that is `offsetMs` ahead of UTC. Counts have full hours of UTC. */
const startOf = (at: number, stepMs: number, offsetMs: number): number => {
  const local = at + offsetMs
  const start = local - (local % stepMs) - offsetMs
  return Math.floor(start / HOUR_MS) * HOUR_MS
}

export function rangeSteps(range: keyof typeof RANGES, now: number, offsetMs: number): Steps {
  const { stepMs, steps } = RANGES[range]
  return { first: startOf(now, stepMs, offsetMs) - (steps - 1) * stepMs, stepMs, count: steps }
}

/** From `since` up to `until`, both included in a step. */
export function stepsBetween(since: number, until: number, offsetMs: number): Steps {
  const length = until - since
  const { stepMs } = length <= 2 * DAY_MS ? RANGES.day : length <= 8 * DAY_MS ? RANGES.week : RANGES.month
  const first = startOf(since, stepMs, offsetMs)
  return { first, stepMs, count: Math.max(1, Math.ceil((until - first) / stepMs)) }
}

/**
 * The time that the share of deliveries stayed below, from the counts below each bound; null: there were none. Within a bound, times are
 * taken to be spread evenly. Times beyond the last bound count as that bound.
 */
export function quantileMs(counts: ReadonlyMap<string, number>, share: number): number | null {
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0)
  if (all === 0) return null
  const wanted = share * all
  let below = 0
  let lower = 0
  for (const bound of DELIVERY_BOUNDS_MS) {
    const here = counts.get(String(bound)) ?? 0
    if (here > 0 && below + here >= wanted)
      return Math.round(lower + ((wanted - below) / here) * (bound - lower))
    below += here
    lower = bound
  }
  return lower
}
