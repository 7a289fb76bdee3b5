import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type StepCount, toStatistics, webhookStatistics } from './rules.ts'

const STEPS = { first: 0, stepMs: 3_600_000, count: 2 }
const counted = (metric: StepCount['metric'], count: number, label = '', step = 0): StepCount => ({
  step,
  metric,
  label,
  count,
})

describe('statistics from counts', () => {
  test('each step has its amounts, and the range their sum', () => {
    const counts = [
      counted('sent', 3),
      counted('failed', 1, 'expired'),
      counted('failed', 1, 'internal'),
      counted('canceled', 4),
      counted('received', 2, '', 1),
      counted('delivery', 5, 'delivered', 1),
      counted('delivery', 6, 'retry', 1),
      counted('delivery', 7, 'dead', 1),
      counted('delivery_time', 5, '25', 1),
    ]
    const { steps, totals, since, until, stepHours } = toStatistics(counts, STEPS, undefined)
    assert.deepEqual([since, until, stepHours], ['1970-01-01T00:00:00.000Z', '1970-01-01T02:00:00.000Z', 1])
    const [one, two] = steps
    assert.deepEqual([one?.sent, one?.failed, one?.canceled, one?.deliveryMs], [3, 2, 4, null])
    assert.deepEqual([two?.received, two?.delivered, two?.retried, two?.dead], [2, 5, 6, 7])
    assert.deepEqual(two?.deliveryMs, { median: 13, p95: 24 })
    assert.deepEqual(
      [totals.sent, totals.received, totals.failed, totals.deliveryMs],
      [3, 2, 2, two?.deliveryMs],
    )
  })

  test('reasons are listed by frequency', () => {
    const counts = [
      counted('failed', 1, 'expired'),
      counted('failed', 2, 'internal'),
      counted('failed', 3, 'expired', 1),
    ]
    assert.deepEqual(toStatistics(counts, STEPS, undefined).failures, [
      { reason: 'expired', count: 4 },
      { reason: 'internal', count: 2 },
    ])
  })

  test('sessions are the average of the samples, and unknown without any', () => {
    const counts = [counted('sessions', 5, 'open'), counted('sessions', 3, 'close')]
    const { steps } = toStatistics(counts, STEPS, new Map([[0, 4]]))
    assert.deepEqual(
      steps.map(({ sessions }) => sessions),
      [{ open: 1.3, all: 2 }, null],
    )
  })

  test('each webhook has its attempts and the average time of its answers', () => {
    const counts = [
      counted('webhook', 3, '7 delivered'),
      counted('webhook', 1, '7 dead', 1),
      counted('webhook_ms', 100, '7'),
      counted('webhook_ms', 60, '7', 1),
    ]
    assert.deepEqual(webhookStatistics(counts), [{ id: 7, delivered: 3, retried: 0, dead: 1, averageMs: 40 }])
  })
})
