import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { retryAfterOf } from './error.ts'
import { backoff, pauseBeforeRetry } from './retry.ts'

const pause = (status: number, reason: string, retryAfterSeconds?: number, isRepeatable = false) =>
  pauseBeforeRetry({ status, reason, retryAfterSeconds }, 0, isRepeatable, 60)

describe('the pause before a retry', () => {
  test('is Retry-After where the gateway refused to act, for every call', () => {
    assert.equal(pause(429, 'rate_limited', 7), 7)
    assert.equal(pause(503, 'unavailable', 0), 0)
    assert.ok((pause(429, 'queue_full') ?? 0) > 0)
    assert.ok((pause(409, 'idempotency_in_flight') ?? 0) > 0)
  })

  test('exists without an answer only for calls that may be made twice', () => {
    for (const [status, reason] of [
      [0, 'unreachable'],
      [502, 'unreadable_answer'],
      [504, 'unreadable_answer'],
    ] as const) {
      assert.equal(pause(status, reason), undefined)
      assert.ok((pause(status, reason, undefined, true) ?? 0) > 0)
    }
  })

  test('does not exist for refusals that stay, nor for a Retry-After that is too long', () => {
    for (const [status, reason] of [
      [400, 'invalid_request'],
      [500, 'internal'],
      [503, 'gateway_held'],
      [504, 'outcome_unknown'],
    ] as const)
      assert.equal(pause(status, reason, undefined, true), undefined, reason)
    assert.equal(pause(429, 'rate_limited', 61), undefined)
  })

  test('doubles up to eight seconds, and varies by half', () => {
    for (const [attempt, seconds] of [0.5, 1, 2, 4, 8, 8].entries())
      for (let round = 0; round < 20; round += 1) {
        const chosen = backoff(attempt)
        assert.ok(chosen >= seconds / 2 && chosen <= seconds, `${attempt}: ${chosen}`)
      }
  })
})

test('Retry-After is read as seconds or as a date', () => {
  const now = Date.parse('2026-01-31T12:00:00Z')
  assert.equal(retryAfterOf('12', now), 12)
  assert.equal(retryAfterOf('Sat, 31 Jan 2026 12:00:05 GMT', now), 5)
  assert.equal(retryAfterOf('Sat, 31 Jan 2026 11:00:00 GMT', now), 0)
  assert.equal(retryAfterOf('soon', now), undefined)
  assert.equal(retryAfterOf(null, now), undefined)
})
