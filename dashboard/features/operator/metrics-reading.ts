// Reads key figures from the metrics in Prometheus text format.

/** Key figures at one moment. */
export interface MetricsReading {
  atMs: number
  queued: number
  waitingDeliveries: number
  requests: number
  failedRequests: number
  cpuSeconds: number
  memoryBytes: number
  eventLoopLagMs: number
  startedAtMs: number
  /** Per second since the previous reading; undefined for the first reading and after a restart of the server. */
  requestsPerSecond: number | undefined
  cpuShare: number | undefined
}

const REQUESTS = 'switchboard_http_request_seconds_count'

export function readMetrics(text: string, atMs: number, before: MetricsReading | undefined): MetricsReading {
  const sums = sumsOf(text)
  const sum = (name: string): number => sums.get(name)?.all ?? 0
  const requests = sum(REQUESTS)
  const cpuSeconds = sum('process_cpu_seconds_total')
  const startedAtMs = sum('process_start_time_seconds') * 1000
  const perSecond = (now: number, then: number | undefined): number | undefined =>
    before === undefined || then === undefined || before.startedAtMs !== startedAtMs || atMs <= before.atMs
      ? undefined
      : Math.max(0, now - then) / ((atMs - before.atMs) / 1000)
  return {
    atMs,
    queued: sum('switchboard_queue_depth'),
    waitingDeliveries: sum('switchboard_webhook_waiting'),
    requests,
    failedRequests: sums.get(REQUESTS)?.failed ?? 0,
    cpuSeconds,
    memoryBytes: sum('process_resident_memory_bytes'),
    eventLoopLagMs: sum('nodejs_eventloop_lag_p99_seconds') * 1000,
    startedAtMs,
    requestsPerSecond: perSecond(requests, before?.requests),
    cpuShare: perSecond(cpuSeconds, before?.cpuSeconds),
  }
}

/** The sum of each metric over all labels, and over labels with a 5xx status. */
function sumsOf(text: string): Map<string, { all: number; failed: number }> {
  const sums = new Map<string, { all: number; failed: number }>()
  for (const line of text.split('\n')) {
    const [, name, labels = '', value] = /^([\w:]+)(\{.*\})? (\S+)$/.exec(line) ?? []
    if (name === undefined || !Number.isFinite(Number(value))) continue
    const { all, failed } = sums.get(name) ?? { all: 0, failed: 0 }
    const isFailed = labels.includes('status="5')
    sums.set(name, { all: all + Number(value), failed: failed + (isFailed ? Number(value) : 0) })
  }
  return sums
}
