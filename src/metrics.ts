// Metrics for Prometheus. No label contains an account, a number or a name.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { CommitMeasure } from './store/store.ts'

export interface Metrics {
  observeRequest(labels: { route: string; method: string; status: number }, seconds: number): void
  observeCommit(measure: CommitMeasure): void
  /** Counts a change or a receipt that was dropped because its sender may not make it. */
  countForged(kind: string): void
  observeDelivery(outcome: 'delivered' | 'retry' | 'dead', seconds: number): void
  read(): Promise<{ text: string; contentType: string }>
}

/** Counted when the metrics are read. */
export interface QueueDepths {
  queued(): Promise<number>
  waitingDeliveries(): Promise<number>
}

export function createMetrics(depths: QueueDepths): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'switchboard_http_request_seconds',
    help: 'Duration of requests by route and status',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
    registers,
  })
  const commits = new Histogram({
    name: 'switchboard_store_commit_seconds',
    help: 'Duration of a group commit in the store',
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers,
  })
  const batches = new Histogram({
    name: 'switchboard_store_commit_size',
    help: 'Number of writes in a group commit',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
    registers,
  })
  const unreadable = new Counter({
    name: 'switchboard_metrics_unreadable_total',
    help: 'Metrics that could not be read, for example while the store is unavailable',
    registers,
  })
  const forged = forgedCounter(registers)
  const queued = new Gauge({
    name: 'switchboard_queue_depth',
    help: 'Accepted messages that are neither sent nor failed yet, over all instances',
    registers,
  })
  const deliveries = deliveryMetrics(registers)
  const readInto = (gauge: Gauge, depth: Promise<number>) =>
    depth.then(
      (value) => gauge.set(value),
      () => unreadable.inc(),
    )
  return {
    countForged: (kind) => forged.inc({ kind }),
    observeDelivery: (outcome, seconds) => deliveries.attempts.observe({ outcome }, seconds),
    observeRequest: ({ route, method, status }, seconds) =>
      requests.observe({ route, method, status }, seconds),
    observeCommit({ durationMs, size }) {
      commits.observe(durationMs / 1000)
      batches.observe(size)
    },
    async read() {
      // If the store is unavailable, all other metrics are still returned.
      await Promise.all([
        readInto(queued, depths.queued()),
        readInto(deliveries.waiting, depths.waitingDeliveries()),
      ])
      return { text: await registry.metrics(), contentType: registry.contentType }
    },
  }
}

const forgedCounter = (registers: Registry[]) =>
  new Counter({
    name: 'switchboard_forged_changes_total',
    help: 'Dropped edits, deletes and other changes whose sender may not make them, by kind',
    labelNames: ['kind'],
    registers,
  })

function deliveryMetrics(registers: Registry[]) {
  const attempts = new Histogram({
    name: 'switchboard_webhook_attempt_seconds',
    help: 'Duration of delivery attempts by outcome',
    labelNames: ['outcome'],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
    registers,
  })
  const waiting = new Gauge({
    name: 'switchboard_webhook_waiting',
    help: 'Deliveries that wait for their first or next attempt, over all webhooks',
    registers,
  })
  return { attempts, waiting }
}
