import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keptFor, unfinishedUntil, uploadExpiry } from './rules.ts'

const HOUR_MS = 60 * 60 * 1000

test('an upload can be used for 24 hours, and one that was not completed is removed after an hour', () => {
  assert.equal(uploadExpiry(7), 7 + 24 * HOUR_MS)
  assert.equal(unfinishedUntil(7), 7 + HOUR_MS)
})

test('a file is kept for a day and two hours after the time of a message that uses it', () => {
  assert.equal(keptFor(0, 24 * HOUR_MS), 26 * HOUR_MS)
  assert.equal(keptFor(1000 * HOUR_MS, 24 * HOUR_MS), 1026 * HOUR_MS)
})

test('nothing is written while the file is kept long enough', () => {
  const first = keptFor(0, 24 * HOUR_MS) as number
  assert.equal(keptFor(HOUR_MS, first), undefined)
  assert.equal(keptFor(HOUR_MS + 1, first), HOUR_MS + 1 + 26 * HOUR_MS)
})
