// Key figures from the metrics in Prometheus text format.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMetrics } from '../../../src/metrics.ts'
import { NO_SOURCES } from '../../../test/support/metric-sources.ts'
import { readMetrics } from './metrics-reading.ts'

const measured = async (work: (metrics: ReturnType<typeof createMetrics>) => void) => {
  const metrics = createMetrics({
    ...NO_SOURCES,
    queued: async () => 12,
    waitingDeliveries: async () => 34,
  })
  work(metrics)
  return (await metrics.read()).text
}
const request = (status: number) => ({ route: '/api/v1/{id}', method: 'GET', status })

test('key figures are the sums over all labels', async () => {
  const text = await measured((metrics) => {
    for (const status of [200, 200, 404, 500, 503]) metrics.observeRequest(request(status), 0.01)
  })
  const reading = readMetrics(text, Date.now(), undefined)
  assert.deepEqual(
    [reading.queued, reading.waitingDeliveries, reading.requests, reading.failedRequests],
    [12, 34, 5, 2],
  )
  assert.ok(reading.memoryBytes > 1_000_000)
  assert.ok(Number.isFinite(reading.eventLoopLagMs))
  assert.ok(Math.abs(Date.now() - reading.startedAtMs) < 24 * 3_600_000)
  assert.equal(reading.requestsPerSecond, undefined, 'one reading does not give a rate')
})

test('rates cover the time since the previous reading, and are undefined after a restart', () => {
  const text = (requests: number, startedAt: number, cpu: number) =>
    [
      `switchboard_http_request_seconds_count{route="/a b} c",method="GET",status="200"} ${requests}`,
      `process_start_time_seconds ${startedAt}`,
      `process_cpu_seconds_total ${cpu}`,
    ].join('\n')
  const first = readMetrics(text(100, 1000, 10), 0, undefined)
  const second = readMetrics(text(150, 1000, 12.5), 5000, first)
  assert.equal(second.requestsPerSecond, 10)
  assert.equal(second.cpuShare, 0.5)
  const restarted = readMetrics(text(3, 2000, 1), 10_000, second)
  assert.equal(restarted.requestsPerSecond, undefined)
})
