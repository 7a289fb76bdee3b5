import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { JITTER, nextTry, parseRetryAfter, SCHEDULE_MS } from './rules.ts'

const NOW = Date.UTC(2026, 0, 15, 12)
const HOUR_MS = 60 * 60 * 1000

describe('retry schedule', () => {
  test('is 0, 5 s, 5 m, 30 m, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h', () => {
    assert.deepEqual(
      SCHEDULE_MS.map((ms) => ms / 1000),
      [0, 5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400],
    )
  })

  test('varies each pause by up to 20 percent, and ends after the tenth attempt', () => {
    for (const [tries, scheduledMs] of SCHEDULE_MS.entries()) {
      if (tries === 0) continue
      const pause = (random: number) => nextTry({ tries, earlyRetries: 0 }, undefined, () => random)
      assert.deepEqual(pause(0), { pauseMs: Math.round(scheduledMs * (1 - JITTER)), isEarly: false })
      assert.deepEqual(pause(0.5), { pauseMs: scheduledMs, isEarly: false })
      assert.deepEqual(pause(1), { pauseMs: Math.round(scheduledMs * (1 + JITTER)), isEarly: false })
    }
    assert.equal(
      nextTry({ tries: 10, earlyRetries: 0 }, undefined, () => 0.5),
      'never',
    )
  })

  test('a longer Retry-After replaces the scheduled pause, a shorter one is an extra attempt', () => {
    const random = () => 0.5
    assert.deepEqual(nextTry({ tries: 1, earlyRetries: 0 }, HOUR_MS, random), {
      pauseMs: HOUR_MS,
      isEarly: false,
    })
    assert.deepEqual(nextTry({ tries: 3, earlyRetries: 0 }, 1000, random), { pauseMs: 1000, isEarly: true })
    assert.deepEqual(nextTry({ tries: 23, earlyRetries: 20 }, 1000, random), {
      pauseMs: 1_800_000,
      isEarly: false,
    })
    assert.equal(nextTry({ tries: 30, earlyRetries: 20 }, 1000, random), 'never')
  })
})

describe('Retry-After', () => {
  test('is parsed as seconds or as a date, limited to between a second and a day', () => {
    assert.equal(parseRetryAfter('120', NOW), 120_000)
    assert.equal(parseRetryAfter(' 7 ', NOW), 7000)
    assert.equal(parseRetryAfter('0', NOW), 1000)
    assert.equal(parseRetryAfter('999999999999999999999', NOW), 24 * HOUR_MS)
    assert.equal(parseRetryAfter('Thu, 15 Jan 2026 13:00:00 GMT', NOW), HOUR_MS)
    assert.equal(parseRetryAfter('Thu, 15 Jan 2026 11:00:00 GMT', NOW), 1000)
    assert.equal(parseRetryAfter('Thu, 15 Jan 2099 11:00:00 GMT', NOW), 24 * HOUR_MS)
  })

  test('is ignored when it is neither', () => {
    for (const text of [
      undefined,
      '',
      'soon',
      '-5',
      '1.5',
      '1e3',
      '2026-01-15',
      'Xxx, 99 Xxx 9999 99:99:99 GMT',
    ])
      assert.equal(parseRetryAfter(text, NOW), undefined, String(text))
  })
})
