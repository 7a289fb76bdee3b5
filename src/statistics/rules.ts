// Statistics from counts: the amounts of each step and of the whole range, and what is counted by reason or webhook.
import { iso } from '../kernel/time.ts'
import { type CountedMetric, DELIVERY_BOUNDS_MS, HOUR_MS } from './rules-counted.ts'

export interface StepCount {
  /** The number of the step, from 0. */
  step: number
  metric: CountedMetric
  label: string
  count: number
}

const sum = (counts: readonly StepCount[]): number => counts.reduce((all, { count }) => all + count, 0)

/** Sums by label. */
function byLabel(counts: readonly StepCount[], metric: CountedMetric): Map<string, number> {
  const labels = new Map<string, number>()
  for (const one of counts)
    if (one.metric === metric) labels.set(one.label, (labels.get(one.label) ?? 0) + one.count)
  return labels
}

function amounts(counts: readonly StepCount[]) {
  const of = (metric: CountedMetric) => sum(counts.filter((one) => one.metric === metric))
  const deliveries = byLabel(counts, 'delivery')
  const times = byLabel(counts, 'delivery_time')
  const median = quantileMs(times, 0.5)
  const p95 = quantileMs(times, 0.95)
  return {
    sent: of('sent'),
    received: of('received'),
    failed: of('failed'),
    canceled: of('canceled'),
    delivered: deliveries.get('delivered') ?? 0,
    retried: deliveries.get('retry') ?? 0,
    dead: deliveries.get('dead') ?? 0,
    deliveryMs: median === null || p95 === null ? null : { median, p95 },
  }
}

/** The average over the samples of a step. */
function sessionsIn(counts: readonly StepCount[], samples: number | undefined) {
  if (!samples) return null
  const states = byLabel(counts, 'sessions')
  const all = [...states.values()].reduce((some, more) => some + more, 0)
  const average = (count: number) => Math.round((count / samples) * 10) / 10
  return { open: average(states.get('open') ?? 0), all: average(all) }
}

const byReason = (counts: readonly StepCount[], metric: CountedMetric) =>
  [...byLabel(counts, metric)]
    .map(([reason, count]) => ({ reason, count }))
    .sort((one, other) => other.count - one.count || one.reason.localeCompare(other.reason))

/** `samples` undefined: sessions are not part of these counts. */
export function toStatistics(
  counts: readonly StepCount[],
  { first, stepMs, count }: Steps,
  samples: ReadonlyMap<number, number> | undefined,
) {
  const bySteps = Map.groupBy(counts, ({ step }) => step)
  return {
    since: iso(first),
    until: iso(first + count * stepMs),
    stepHours: stepMs / 3_600_000,
    totals: amounts(counts),
    steps: Array.from({ length: count }, (_each, step) => {
      const here = bySteps.get(step) ?? []
      return {
        start: iso(first + step * stepMs),
        ...amounts(here),
        sessions: sessionsIn(here, samples?.get(step)),
      }
    }),
    failures: byReason(counts, 'failed'),
    deliveryFailures: byReason(counts, 'delivery_failed'),
    disconnections: byReason(counts, 'closed'),
  }
}

export function webhookStatistics(counts: readonly StepCount[]) {
  const attempts = byLabel(counts, 'webhook')
  return [...byLabel(counts, 'webhook_ms')]
    .map(([label, totalMs]) => {
      const of = (outcome: string) => attempts.get(`${label} ${outcome}`) ?? 0
      const [delivered, retried, dead] = [of('delivered'), of('retry'), of('dead')]
      const all = delivered + retried + dead
      return {
        id: Number(label),
        delivered,
        retried,
        dead,
        averageMs: Math.round(totalMs / Math.max(1, all)),
      }
    })
    .sort((one, other) => one.id - other.id)
}

// The steps of statistics: how a range of time is divided, and what the counts in one step say about times.

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
