import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { JITTER, SCHEDULE_MS } from '../webhooks/rules.ts'
import { afterFailedFetch, afterFailedWrite, MEDIA_KEPT_MS } from './rules.ts'

const NOW = 1_000_000

test('a file is kept for longer than an event about it can be retried', () => {
  const longestMs = SCHEDULE_MS.reduce((sum, pauseMs) => sum + pauseMs * (1 + JITTER), 0)
  assert.ok(MEDIA_KEPT_MS > longestMs)
})

describe('a fetch that failed', () => {
  test('is repeated with growing pauses of up to an hour, and given up at the twelfth try', () => {
    const outcomes = Array.from({ length: 12 }, (_, tries) => afterFailedFetch('timeout', tries, NOW))
    assert.deepEqual(outcomes[0], { status: 'wanted', dueAt: NOW + 60_000, tries: 1 })
    assert.deepEqual(outcomes[10], { status: 'wanted', dueAt: NOW + 3_600_000, tries: 11 })
    assert.deepEqual(outcomes[11], { status: 'lost' })
  })

  test('does not count while the instance is not connected', () => {
    for (const kind of ['unavailable', 'no_longer_owner'] as const)
      assert.deepEqual(afterFailedFetch(kind, 11, NOW), {
        status: 'wanted',
        dueAt: NOW + 3_600_000,
        tries: 11,
      })
  })

  test('is given up at once when the network refuses the file', () => {
    assert.deepEqual(afterFailedFetch('refused', 0, NOW), { status: 'lost' })
  })

  test('is repeated after an error of the gateway itself', () => {
    assert.equal(afterFailedFetch(undefined, 0, NOW).status, 'wanted')
  })
})

test('a file that could not be stored is fetched again after 30 s, and the try does not count', () => {
  assert.deepEqual(afterFailedWrite(11, NOW), { status: 'wanted', dueAt: NOW + 30_000, tries: 11 })
})
