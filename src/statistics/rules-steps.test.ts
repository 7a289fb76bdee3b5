import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { quantileMs, rangeSteps, stepsBetween } from './rules.ts'

const HOUR_MS = 3_600_000
const NOW = Date.UTC(2026, 0, 15, 12, 34)
const SAO_PAULO = -3 * HOUR_MS
const first = ({ first: at }: { first: number }) => new Date(at).toISOString()
const shape = ({ stepMs, count }: { stepMs: number; count: number }) => [stepMs / HOUR_MS, count]

describe('steps of statistics', () => {
  test('a day has the last 24 hours, the current one included', () => {
    const steps = rangeSteps('day', NOW, 0)
    assert.deepEqual([first(steps), ...shape(steps)], ['2026-01-14T13:00:00.000Z', 1, 24])
  })

  test('the days of a month begin at midnight of the reader', () => {
    const steps = rangeSteps('month', NOW, SAO_PAULO)
    assert.deepEqual([first(steps), ...shape(steps)], ['2025-12-17T03:00:00.000Z', 24, 30])
  })

  test('a week has quarters of days of the reader', () => {
    const steps = rangeSteps('week', NOW, SAO_PAULO)
    assert.deepEqual([first(steps), ...shape(steps)], ['2026-01-08T15:00:00.000Z', 6, 28])
  })

  test('where clocks differ by half hours, steps begin at the full hour of UTC before', () => {
    assert.equal(first(rangeSteps('month', NOW, 5.5 * HOUR_MS)), '2025-12-16T18:00:00.000Z')
  })

  test('the length of another range decides the length of its steps', () => {
    const between = (hours: number) => shape(stepsBetween(NOW - hours * HOUR_MS, NOW, 0))
    assert.deepEqual(between(48), [1, 49])
    assert.deepEqual(between(49), [6, 10])
    assert.deepEqual(between(8 * 24 + 1), [24, 9])
    assert.deepEqual(shape(stepsBetween(NOW, NOW + 1, 0)), [1, 1])
  })
})

describe('quantiles of delivery times', () => {
  const counts = (...entries: [string, number][]) => new Map(entries)

  test('no deliveries have no time', () => assert.equal(quantileMs(counts(), 0.5), null))

  test('times are spread evenly between two bounds', () => {
    assert.equal(quantileMs(counts(['100', 10]), 0.5), 75)
    assert.equal(quantileMs(counts(['100', 9], ['1000', 1]), 0.95), 750)
  })

  test('times beyond the last bound count as that bound', () => {
    assert.equal(quantileMs(counts(['100', 1], ['beyond', 9]), 0.95), 7_200_000)
  })
})
