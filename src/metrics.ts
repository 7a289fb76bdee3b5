// What the process measures, for Prometheus. No label carries an account, a number or a name.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { CommitMeasure } from './store/batcher.ts'

export interface Metrics {
  observeRequest(labels: { route: string; method: string; status: number }, seconds: number): void
  observeCommit(measure: CommitMeasure): void
  observeDelivery(outcome: 'delivered' | 'retry' | 'dead', seconds: number): void
  read(): Promise<{ text: string; contentType: string }>
}

/** What is counted when somebody asks. */
export interface Depths {
  queued(): Promise<number>
  waitingDeliveries(): Promise<number>
}

export function createMetrics(depths: Depths): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'switchboard_http_request_seconds',
    help: 'Requests by route and status, with their time',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
    registers,
  })
  const commits = new Histogram({
    name: 'switchboard_store_commit_seconds',
    help: 'Time of a group commit in the store',
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers,
  })
  const batches = new Histogram({
    name: 'switchboard_store_commit_size',
    help: 'Writes that shared a commit',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
    registers,
  })
  const unreadable = new Counter({
    name: 'switchboard_metrics_unreadable_total',
    help: 'Measurements that could not be read, for instance while the store is away',
    registers,
  })
  const queued = new Gauge({
    name: 'switchboard_queue_depth',
    help: 'Messages accepted and not yet sent or failed, over all instances',
    registers,
  })
  const deliveries = deliveryMetrics(registers)
  const readInto = (gauge: Gauge, depth: Promise<number>) =>
    depth.then(
      (value) => gauge.set(value),
      () => unreadable.inc(),
    )
  return {
    observeDelivery: (outcome, seconds) => deliveries.attempts.observe({ outcome }, seconds),
    observeRequest: ({ route, method, status }, seconds) =>
      requests.observe({ route, method, status }, seconds),
    observeCommit({ durationMs, size }) {
      commits.observe(durationMs / 1000)
      batches.observe(size)
    },
    async read() {
      // All other measurements stay readable while the store is not.
      await Promise.all([
        readInto(queued, depths.queued()),
        readInto(deliveries.waiting, depths.waitingDeliveries()),
      ])
      return { text: await registry.metrics(), contentType: registry.contentType }
    },
  }
}

function deliveryMetrics(registers: Registry[]) {
  const attempts = new Histogram({
    name: 'switchboard_webhook_attempt_seconds',
    help: 'Tries of deliveries by outcome, with the time of the exchange',
    labelNames: ['outcome'],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
    registers,
  })
  const waiting = new Gauge({
    name: 'switchboard_webhook_waiting',
    help: 'Deliveries that wait for their first or next try, over all webhooks',
    registers,
  })
  return { attempts, waiting }
}
