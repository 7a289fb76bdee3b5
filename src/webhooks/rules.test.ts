import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { deliveryOutcome, judgeExchange, SCHEDULE_MS } from './rules.ts'

const NOW = 1_000_000
const answer = (
  status: number,
  { isTruncated = false, retryAfter }: { isTruncated?: boolean; retryAfter?: string } = {},
) => judgeExchange({ status, isTruncated, retryAfter }, NOW)

describe('the answer of a receiver', () => {
  test('2xx is delivered', () => {
    for (const status of [200, 204, 299])
      assert.deepEqual(answer(status), {
        error: null,
        isStopped: false,
        isGone: false,
        retryAfterMs: undefined,
      })
  })

  test('any other status is an error, and so is an answer that is too long', () => {
    for (const status of [199, 300, 302, 400, 404, 500, 503])
      assert.match(answer(status).error ?? '', /\d{3}/)
    assert.match(answer(302).error ?? '', /never followed/)
    assert.match(answer(200, { isTruncated: true }).error ?? '', /64 KiB/)
  })

  test('410 disables the webhook, no other status does', () => {
    assert.deepEqual(
      [410, 404, 403, 500].map((status) => answer(status).isGone),
      [true, false, false, false],
    )
  })

  test('Retry-After counts only with an error', () => {
    assert.equal(answer(503, { retryAfter: '120' }).retryAfterMs, 120_000)
    assert.equal(answer(200, { retryAfter: '120' }).retryAfterMs, undefined)
  })

  test('an exchange that failed keeps its reason, and one that the gateway ended is marked', () => {
    assert.deepEqual(judgeExchange({ failure: 'No answer.', isStopped: false }, NOW), {
      error: 'No answer.',
      isStopped: false,
      isGone: false,
      retryAfterMs: undefined,
    })
    assert.equal(judgeExchange({ failure: 'Stopped.', isStopped: true }, NOW).isStopped, true)
  })
})

describe('what follows an attempt', () => {
  const follow = (tries: number, error: string | null, retryAfterMs?: number) =>
    deliveryOutcome({ error, retryAfterMs }, { tries, earlyRetries: 0 }, NOW, () => 0.5)

  test('no error: delivered', () => assert.deepEqual(follow(1, null), { kind: 'delivered' }))

  test('an error: retried at the scheduled time', () => {
    assert.deepEqual(follow(1, 'no'), { kind: 'retry', at: NOW + 5000, isEarly: false })
  })

  test('a short Retry-After: retried early', () => {
    assert.deepEqual(follow(3, 'no', 1000), { kind: 'retry', at: NOW + 1000, isEarly: true })
  })

  test('the last scheduled attempt failed: dead', () => {
    assert.deepEqual(follow(SCHEDULE_MS.length, 'no'), { kind: 'dead' })
  })
})
