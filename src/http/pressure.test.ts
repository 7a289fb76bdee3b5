// A lagging event loop is noticed within a look, and so is its end.
import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { createPressure, LAG_LIMIT_MS } from './pressure.ts'

test('a mean lag over the limit is pressure until a look finds less', () => {
  mock.timers.enable({ apis: ['setInterval'] })
  try {
    const histogram = { mean: 20e6, reset: mock.fn(), enable: () => true, disable: () => true }
    const pressure = createPressure(histogram, 1000)
    const seen = [20, 20 + LAG_LIMIT_MS, 21 + LAG_LIMIT_MS, 5000, 20].map((meanMs) => {
      histogram.mean = meanMs * 1e6
      mock.timers.tick(1000)
      return pressure.isTooHigh()
    })
    assert.deepEqual(seen, [false, false, true, true, false])
    assert.equal(histogram.reset.mock.callCount(), 5, 'each look is at its own second')
    pressure.stop()
  } finally {
    mock.timers.reset()
  }
})
