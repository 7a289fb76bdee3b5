import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fitting, perLane } from './rules-batch-limits.ts'

const events = (count: number, length: number) =>
  Array.from({ length: count }, () => ({ data: 'x'.repeat(length) }))

test('a request has at most 100 events', () => {
  assert.equal(fitting(events(3, 10)).length, 3)
  assert.equal(fitting(events(100, 10)).length, 100)
  assert.equal(fitting(events(101, 10)).length, 100)
  assert.deepEqual(fitting([]), [])
})

test('a request has at most 256 KiB of payloads, and a longer event has a request of its own', () => {
  assert.equal(fitting(events(10, 64 * 1024)).length, 4)
  assert.equal(fitting(events(2, 300 * 1024)).length, 1)
  assert.equal(fitting([...events(1, 10), ...events(1, 256 * 1024)]).length, 1)
})

test('each lane has its share of a request', () => {
  assert.deepEqual([1, 3, 32, 200].map(perLane), [100, 33, 3, 1])
})
