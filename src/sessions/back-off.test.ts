import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_TRIES, pauseBefore } from './back-off.ts'

test('pauses double from a second up to a minute, at least half of each is fixed, and there are twenty', () => {
  const longest = Array.from({ length: 8 }, (_, index) => pauseBefore(index + 1, 1))
  assert.deepEqual(longest, [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000])
  const shortest = longest.map((_pause, index) => pauseBefore(index + 1, 0))
  assert.deepEqual(
    shortest,
    longest.map((pause) => (pause ?? 0) / 2),
  )
  assert.equal(pauseBefore(MAX_TRIES, 1), 60_000)
  assert.equal(pauseBefore(MAX_TRIES + 1, 1), null)
})

test('sessions that were cut off together come back apart', () => {
  const pauses = Array.from({ length: 100 }, (_, index) => pauseBefore(3, index / 100))
  assert.ok(new Set(pauses).size > 90)
})
