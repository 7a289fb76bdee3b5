import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { JITTER, nextTry, retryAfterMs, SCHEDULE_MS } from './retry-schedule.ts'

const NOW = Date.UTC(2026, 0, 15, 12)
const HOUR_MS = 60 * 60 * 1000

describe('the schedule', () => {
  test('is 0, 5 s, 5 m, 30 m, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h', () => {
    assert.deepEqual(
      SCHEDULE_MS.map((ms) => ms / 1000),
      [0, 5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400],
    )
  })

  test('draws each pause from a fifth on both sides, and ends after the tenth try', () => {
    for (const [tries, scheduledMs] of SCHEDULE_MS.entries()) {
      if (tries === 0) continue
      const pause = (random: number) => nextTry({ tries, asked: 0 }, undefined, () => random)
      assert.deepEqual(pause(0), { pauseMs: Math.round(scheduledMs * (1 - JITTER)), asked: false })
      assert.deepEqual(pause(0.5), { pauseMs: scheduledMs, asked: false })
      assert.deepEqual(pause(1), { pauseMs: Math.round(scheduledMs * (1 + JITTER)), asked: false })
    }
    assert.equal(
      nextTry({ tries: 10, asked: 0 }, undefined, () => 0.5),
      'never',
    )
  })

  test('gives way to the receiver: a longer wish counts as the pause, a shorter one as an extra', () => {
    const random = () => 0.5
    assert.deepEqual(nextTry({ tries: 1, asked: 0 }, HOUR_MS, random), { pauseMs: HOUR_MS, asked: false })
    assert.deepEqual(nextTry({ tries: 3, asked: 0 }, 1000, random), { pauseMs: 1000, asked: true })
    assert.deepEqual(nextTry({ tries: 23, asked: 20 }, 1000, random), { pauseMs: 1_800_000, asked: false })
    assert.equal(nextTry({ tries: 30, asked: 20 }, 1000, random), 'never')
  })
})

describe('Retry-After', () => {
  test('is read in seconds or as a date, within a second and a day', () => {
    assert.equal(retryAfterMs('120', NOW), 120_000)
    assert.equal(retryAfterMs(' 7 ', NOW), 7000)
    assert.equal(retryAfterMs('0', NOW), 1000)
    assert.equal(retryAfterMs('999999999999999999999', NOW), 24 * HOUR_MS)
    assert.equal(retryAfterMs('Thu, 15 Jan 2026 13:00:00 GMT', NOW), HOUR_MS)
    assert.equal(retryAfterMs('Thu, 15 Jan 2026 11:00:00 GMT', NOW), 1000)
    assert.equal(retryAfterMs('Thu, 15 Jan 2099 11:00:00 GMT', NOW), 24 * HOUR_MS)
  })

  test('says nothing where it is something else', () => {
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
      assert.equal(retryAfterMs(text, NOW), undefined, String(text))
  })
})
