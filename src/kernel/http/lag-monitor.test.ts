import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { manualTime } from '../../../test/support/manual-time.ts'
import { createLagMonitor, LAG_LIMIT_MS, RESOLUTION_MS } from './lag-monitor.ts'

test('a mean lag over the limit for three seconds in a row is pressure, until a second has less', () => {
  const time = manualTime()
  const histogram = { mean: 0, reset: mock.fn(), enable: () => true, disable: () => true }
  const monitor = createLagMonitor(histogram, time.timers)
  const [most, more] = [LAG_LIMIT_MS, LAG_LIMIT_MS + 1]
  const seen = [most, 5000, 0, more, 5000, 300, 300, 0].map((lagMs) => {
    histogram.mean = (RESOLUTION_MS + lagMs) * 1e6
    time.pass(1000)
    return monitor.isLagging()
  })
  assert.deepEqual(seen, [false, false, false, false, false, true, true, false])
  assert.equal(histogram.reset.mock.callCount(), 8, 'each second is measured separately')
  monitor.stop()
  time.pass(5000)
  assert.equal(histogram.reset.mock.callCount(), 8, 'nothing is measured after the stop')
})
