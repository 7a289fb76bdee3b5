import assert from 'node:assert/strict'
import { test } from 'node:test'
import { settledDelivery } from './rules.ts'

test('a delivery is delivered now, retried at its time, or dead', () => {
  const base = { dueAt: null, earlyRetries: 0, deliveredAt: null }
  assert.deepEqual(settledDelivery({ kind: 'delivered' }, 100), {
    ...base,
    status: 'delivered',
    deliveredAt: 100,
  })
  assert.deepEqual(settledDelivery({ kind: 'retry', at: 500, isEarly: false }, 100), {
    ...base,
    status: 'retrying',
    dueAt: 500,
  })
  assert.deepEqual(settledDelivery({ kind: 'dead' }, 100), { ...base, status: 'dead' })
})

test('an early retry is counted', () => {
  const { earlyRetries } = settledDelivery({ kind: 'retry', at: 500, isEarly: true }, 100)
  assert.equal(earlyRetries, 1)
})
