// Statistics from counts: the amounts of each step and of the whole range, and what is counted by reason or webhook.

import { iso } from '../kernel/time.ts'
import type { CountedMetric } from './rules-counted.ts'
import { quantileMs, type Steps } from './rules-steps.ts'

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
