import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMetrics } from '../../../metrics.ts'
import { closesBetween, parseMetrics } from './server-facts.ts'

test('versions and closed connections are read from the metrics of a gateway', async () => {
  const metrics = createMetrics({
    queued: async () => 0,
    oldestDueSeconds: async () => 0,
    waitingDeliveries: async () => 0,
    instances: async () => [],
    clockDifferenceSeconds: () => 0,
    disk: async () => ({ freeBytes: 1, sizeBytes: 1 }),
  })
  metrics.network.describe(() => ({ network: 'whatsapp', library: '7.0.0-rc14', client: '2.3000.1' }))
  metrics.network.countClose(515)
  const before = parseMetrics((await metrics.read()).text)
  assert.deepEqual(before.facts, { network: 'whatsapp', library: '7.0.0-rc14', client: '2.3000.1' })
  for (const code of [515, 428, null]) metrics.network.countClose(code)
  const after = parseMetrics((await metrics.read()).text)
  assert.deepEqual(closesBetween(before, after), { 515: 1, 428: 1, none: 1 })
  assert.deepEqual(closesBetween({ ...before, processStartedAt: '1' }, after), { 515: 2, 428: 1, none: 1 })
})

test('without metrics everything is unknown', () => {
  const { facts, closes, processStartedAt } = parseMetrics('')
  assert.deepEqual([facts.library, closes, processStartedAt], ['unknown', {}, undefined])
})
