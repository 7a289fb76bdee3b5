// Metrics for Prometheus. No label contains an account, a number or a name.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { FAILURE_REASONS, type FailureReason } from './contract/sending.ts'
import { withTimeout } from './kernel/async/waiting.ts'
import type { CommitMeasure } from './store/store.ts'

export interface Metrics {
  observeRequest(labels: { route: string; method: string; status: number }, seconds: number): void
  observeCommit(measure: CommitMeasure): void
  /** Counts a change or a receipt that was dropped because its sender may not make it. */
  countForged(kind: string): void
  /** Counts something that the network delivered and that was not processed. */
  countSetAside(reason: string): void
  observeDelivery(outcome: (typeof DELIVERY_OUTCOMES)[number], seconds: number): void
  /** One try to send a message; `reason` is that of a failure. */
  observeSend(outcome: (typeof SEND_OUTCOMES)[number], seconds: number, reason?: FailureReason): void
  countReceived(messages: number): void
  countSpans(outcome: (typeof SPAN_OUTCOMES)[number], spans: number): void
  network: NetworkMetrics
  node: NodeMetrics
  clock: ClockMetrics
  /** From now on these checks are made when the metrics are read. */
  showChecks(checks: Checks): void
  read(): Promise<{ text: string; contentType: string }>
}

/** Labels of `switchboard_network_info`. */
export interface NetworkInfo {
  network: string
  library: string
  client: string
}

export interface NetworkMetrics {
  /** From now on this is read with the metrics. The version of the client changes while the process runs. */
  describe(source: () => NetworkInfo): void
  /** The network closed a connection, or the connection was lost. */
  countClose(code: number | null): void
}

/** This node among several on one database. */
export interface NodeMetrics {
  /** Nodes that this one has declared dead. */
  countTakeovers(count: number): void
  /** A failover of the database after which commits were lost, or may have been lost. */
  countCommitsLost(loss: 'possible' | 'certain'): void
  /** The lease could not be renewed: connections to the network were closed. */
  countCut(): void
  countCall(direction: 'in' | 'out', method: string, outcome: string): void
  /** A write was refused because another node serves the instance. */
  countRefusedWrite(write: string): void
  /** From now on these are read with the metrics. A single process has no lease to show. */
  show(gauges: NodeGauges): void
}

export interface NodeGauges {
  instances(): number
  leaseSecondsLeft(): number
}

/** The time of the gateway (decision 0115). */
export interface ClockMetrics {
  /** A clock was set while the process ran. */
  countStep(reference: (typeof CLOCK_REFERENCES)[number]): void
}

/** Each check resolves when its part can work. */
type Checks = Record<string, () => Promise<void>>

/** Read when the metrics are read. */
export interface MetricSources {
  queued(): Promise<number>
  /** How long the chat that has waited longest for its turn has waited. */
  oldestDueSeconds(): Promise<number>
  waitingDeliveries(): Promise<number>
  instances(): Promise<readonly InstanceCount[]>
  /** How far the clock of the database, or of this machine, is ahead of the gateway's time. */
  clockDifferenceSeconds(): number
  disk(): Promise<{ freeBytes: number; sizeBytes: number }>
}

export interface InstanceCount {
  state: string
  /** Null: the state needs no reason. */
  reason: string | null
  count: number
}

const DELIVERY_OUTCOMES = ['delivered', 'retry', 'dead'] as const
const SEND_OUTCOMES = ['sent', 'retry', 'failed'] as const
const CALL_OUTCOMES = ['done', 'failed', 'misdirected', 'busy', 'unreachable'] as const
const CLOCK_REFERENCES = ['wall clock', 'database'] as const
const SPAN_OUTCOMES = ['exported', 'dropped'] as const
/** How often the lag of the event loop is sampled. The metrics include it. Each sample wakes the process, also an idle one. */
const LAG_SAMPLE_MS = 50
/** A source that has not answered by then is left out: a scraper does not wait much longer. */
const READ_MS = 5000

export function createMetrics(sources: MetricSources): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_SAMPLE_MS })
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
  const deliveries = deliveryMetrics(registers)
  const sends = sendMetrics(registers)
  const counters = otherCounters(registers)
  const gauges = readGauges(registers, sources)
  return {
    ...sends,
    countForged: (kind) => counters.forged.inc({ kind }),
    countSetAside: (reason) => counters.setAside.inc({ reason }),
    countReceived: (messages) => counters.received.inc(messages),
    countSpans: (outcome, spans) => counters.spans.inc({ outcome }, spans),
    observeDelivery: (outcome, seconds) => deliveries.observe({ outcome }, seconds),
    observeRequest: ({ route, method, status }, seconds) =>
      requests.observe({ route, method, status }, seconds),
    observeCommit({ durationMs, size }) {
      commits.observe(durationMs / 1000)
      batches.observe(size)
    },
    network: networkMetrics(registers, gauges),
    node: nodeMetrics(registers),
    clock: clockMetrics(registers),
    showChecks: (checks) => void gauges.push(checkGauge(registers, checks)),
    async read() {
      // If the store is unavailable, all other metrics are still returned.
      await Promise.all(gauges.map((read) => read().catch(() => counters.unreadable.inc())))
      return { text: await registry.metrics(), contentType: registry.contentType }
    },
  }
}

const answerInTime = <T>(work: Promise<T>): Promise<T> =>
  withTimeout(work, READ_MS, () => new Error('the source of a metric did not answer'))

type ReadGauge = () => Promise<void>

function readGauges(registers: Registry[], sources: MetricSources): ReadGauge[] {
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers })
  const queued = gauge(
    'switchboard_queue_depth',
    'Accepted messages that are neither sent nor failed yet, over all instances',
  )
  const oldest = gauge(
    'switchboard_queue_oldest_seconds',
    'How long the longest waiting chat of an open instance has been due; 0 if none is due',
  )
  const waiting = gauge(
    'switchboard_webhook_waiting',
    'Deliveries that wait for their first or next attempt, over all webhooks',
  )
  const instances = gauge('switchboard_instances', 'Instances by state and reason', ['state', 'reason'])
  const clock = gauge(
    'switchboard_clock_difference_seconds',
    "How far the clock of the database, or of this machine, is ahead of the gateway's time",
  )
  const free = gauge('switchboard_disk_free_bytes', 'Free space where DATA_DIR is')
  const size = gauge('switchboard_disk_size_bytes', 'Size of the file system where DATA_DIR is')
  return [
    async () => queued.set(await answerInTime(sources.queued())),
    async () => oldest.set(await answerInTime(sources.oldestDueSeconds())),
    async () => waiting.set(await answerInTime(sources.waitingDeliveries())),
    async () => clock.set(sources.clockDifferenceSeconds()),
    async () => showInstances(instances, await answerInTime(sources.instances())),
    async () => {
      const { freeBytes, sizeBytes } = await answerInTime(sources.disk())
      free.set(freeBytes)
      size.set(sizeBytes)
    },
  ]
}

/** A state that no instance has any more is no longer shown. Zeros keep the series of the three states without a reason. */
function showInstances(gauge: Gauge, counts: readonly InstanceCount[]): void {
  gauge.reset()
  for (const state of ['open', 'connecting', 'close']) gauge.set({ state, reason: 'none' }, 0)
  for (const { state, reason, count } of counts) gauge.set({ state, reason: reason ?? 'none' }, count)
}

function checkGauge(registers: Registry[], checks: Checks): ReadGauge {
  const ready = new Gauge({
    name: 'switchboard_ready',
    help: 'Whether a check of /readyz passes (1) or fails (0), by check',
    labelNames: ['check'],
    registers,
  })
  return async () => {
    const read = async ([check, run]: [string, () => Promise<void>]) => {
      const isReady = await answerInTime(run()).then(
        () => true,
        () => false,
      )
      ready.set({ check }, Number(isReady))
    }
    await Promise.all(Object.entries(checks).map(read))
  }
}

function otherCounters(registers: Registry[]) {
  const counter = <L extends string>(name: string, help: string, labelNames: L[] = []) =>
    new Counter({ name, help, labelNames, registers })
  const spans = counter('switchboard_trace_spans_total', 'Spans by outcome: exported or dropped', ['outcome'])
  for (const outcome of SPAN_OUTCOMES) spans.inc({ outcome }, 0)
  return {
    spans,
    unreadable: counter(
      'switchboard_metrics_unreadable_total',
      'Metrics that could not be read, for example while the store is unavailable',
    ),
    forged: counter(
      'switchboard_forged_changes_total',
      'Dropped edits, deletes and other changes whose sender may not make them, by kind',
      ['kind'],
    ),
    setAside: counter(
      'switchboard_set_aside_total',
      'Messages, notices and keys of the network that were not processed, by reason',
      ['reason'],
    ),
    received: counter(
      'switchboard_received_messages_total',
      'Messages that the network reported, without those of a history',
    ),
  }
}

/** Outcomes start at zero: otherwise the first one of a kind would not show in a rate. */
function sendMetrics(registers: Registry[]): Pick<Metrics, 'observeSend'> {
  const tries = new Histogram({
    name: 'switchboard_send_seconds',
    help: 'Duration of tries to send a message by outcome, the typing delay included',
    labelNames: ['outcome'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80],
    registers,
  })
  const failures = new Counter({
    name: 'switchboard_send_failures_total',
    help: 'Messages that failed while they were being sent, by reason',
    labelNames: ['reason'],
    registers,
  })
  for (const outcome of SEND_OUTCOMES) tries.zero({ outcome })
  for (const reason of FAILURE_REASONS) failures.inc({ reason }, 0)
  return {
    observeSend(outcome, seconds, reason) {
      tries.observe({ outcome }, seconds)
      if (reason !== undefined) failures.inc({ reason })
    },
  }
}

function deliveryMetrics(registers: Registry[]): Histogram<'outcome'> {
  const attempts = new Histogram({
    name: 'switchboard_webhook_attempt_seconds',
    help: 'Duration of delivery attempts by outcome',
    labelNames: ['outcome'],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
    registers,
  })
  for (const outcome of DELIVERY_OUTCOMES) attempts.zero({ outcome })
  return attempts
}

function networkMetrics(registers: Registry[], gauges: ReadGauge[]): NetworkMetrics {
  let read: (() => NetworkInfo) | undefined
  const info = new Gauge({
    name: 'switchboard_network_info',
    help: 'Always 1: the network, the version of its library, and the client version that logins name',
    labelNames: ['network', 'library', 'client'],
    registers,
  })
  gauges.push(async () => {
    info.reset()
    if (read) info.set({ ...read() }, 1)
  })
  const closes = new Counter({
    name: 'switchboard_network_closes_total',
    help: 'Connections that the network closed or that were lost, by the code of the network',
    labelNames: ['code'],
    registers,
  })
  return {
    describe: (source) => void (read = source),
    countClose: (code) => closes.inc({ code: code ?? 'none' }),
  }
}

function clockMetrics(registers: Registry[]): ClockMetrics {
  const steps = new Counter({
    name: 'switchboard_clock_steps_total',
    help: 'Times that a clock was set while this process ran, by clock',
    labelNames: ['clock'],
    registers,
  })
  for (const clock of CLOCK_REFERENCES) steps.inc({ clock }, 0)
  return {
    countStep: (clock) => steps.inc({ clock }),
  }
}

function nodeMetrics(registers: Registry[]): NodeMetrics {
  const takeovers = new Counter({
    name: 'switchboard_node_takeovers_total',
    help: 'Nodes that this one has declared dead',
    registers,
  })
  const losses = new Counter({
    name: 'switchboard_node_commits_lost_total',
    help: 'Times that this node has found that the database lost commits (certain) or may have lost some (possible)',
    labelNames: ['loss'],
    registers,
  })
  const cuts = new Counter({
    name: 'switchboard_node_cuts_total',
    help: 'Times that this node has closed its connections to the network because its lease was not renewed',
    registers,
  })
  const calls = new Counter({
    name: 'switchboard_node_calls_total',
    help: 'Calls between nodes by direction, method and outcome',
    labelNames: ['direction', 'method', 'outcome'],
    registers,
  })
  const refused = new Counter({
    name: 'switchboard_node_refused_writes_total',
    help: 'Writes refused because another node serves the instance, by write',
    labelNames: ['write'],
    registers,
  })
  return {
    countTakeovers: (count) => takeovers.inc(count),
    countCommitsLost: (loss) => losses.inc({ loss }),
    countCut: () => cuts.inc(),
    countCall: (direction, method, outcome) => calls.inc({ direction, method, outcome }),
    countRefusedWrite: (write) => refused.inc({ write }),
    show(gauges) {
      // Every node wakes others: its series start at zero, as those of other outcomes.
      for (const outcome of CALL_OUTCOMES) calls.inc({ direction: 'out', method: 'wake', outcome }, 0)
      showNode(registers, gauges)
    },
  }
}

function showNode(registers: Registry[], { instances, leaseSecondsLeft }: NodeGauges): void {
  const gauges = [
    new Gauge({
      name: 'switchboard_node_instances',
      help: 'Instances that this node serves',
      registers: [],
      collect() {
        this.set(instances())
      },
    }),
    new Gauge({
      name: 'switchboard_node_lease_seconds',
      help: 'Seconds until the lease of this node ends, unless it is renewed',
      registers: [],
      collect() {
        this.set(leaseSecondsLeft())
      },
    }),
  ]
  for (const registry of registers) for (const gauge of gauges) registry.registerMetric(gauge)
}
