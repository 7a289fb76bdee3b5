import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pauseBefore } from './rules-close-outcomes.ts'

test('pauses double from a second up to five minutes without an end, and at least half of each is fixed', () => {
  const longest = Array.from({ length: 11 }, (_, index) => pauseBefore(index + 1, 1))
  assert.deepEqual(
    longest,
    [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300].map((seconds) => seconds * 1000),
  )
  const shortest = longest.map((_pause, index) => pauseBefore(index + 1, 0))
  assert.deepEqual(
    shortest,
    longest.map((pause) => pause / 2),
  )
  assert.equal(pauseBefore(1_000_000, 1), 300_000)
})

test('sessions that were cut off together come back apart', () => {
  const pauses = Array.from({ length: 100 }, (_, index) => pauseBefore(3, index / 100))
  assert.ok(new Set(pauses).size > 90)
})
