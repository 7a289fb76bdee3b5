// An event loop that lags on and on is noticed, a single pause is not, and the end counts at once.
import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { createPressure, LAG_LIMIT_MS } from './pressure.ts'

test('a mean lag over the limit, three looks in a row, is pressure until a look finds less', () => {
  mock.timers.enable({ apis: ['setInterval'] })
  try {
    const histogram = { mean: 20e6, reset: mock.fn(), enable: () => true, disable: () => true }
    const pressure = createPressure(histogram, 1000)
    const seen = [20 + LAG_LIMIT_MS, 5000, 20, 21 + LAG_LIMIT_MS, 5000, 300, 300, 20].map((meanMs) => {
      histogram.mean = meanMs * 1e6
      mock.timers.tick(1000)
      return pressure.isTooHigh()
    })
    assert.deepEqual(seen, [false, false, false, false, false, true, true, false])
    assert.equal(histogram.reset.mock.callCount(), 8, 'each look is at its own second')
    pressure.stop()
  } finally {
    mock.timers.reset()
  }
})
