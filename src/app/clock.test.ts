// The clock of the gateway on the clocks of a machine that a test moves: steps, suspensions, and the time of the database.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manualTime } from '../../test/support/manual-time.ts'
import { startClock } from './clock.ts'

const HOUR_MS = 3_600_000
const NOON = Date.UTC(2026, 0, 15, 12)

function begin() {
  const time = manualTime()
  let [wrongByMs, suspendedMs] = [0, 0]
  const steps: string[] = []
  const texts: string[] = []
  const log = (_fields: object, text: string) => void texts.push(text)
  const trueMs = () => NOON + time.now() + suspendedMs
  const clock = startClock({
    logger: { info: log, warn: log } as unknown as Parameters<typeof startClock>[0]['logger'],
    onStep: (reference) => steps.push(reference),
    machine: {
      wall: () => trueMs() + wrongByMs,
      monotonic: time.now,
      uptime: () => HOUR_MS + time.now() + suspendedMs,
    },
    timers: time.timers,
  })
  return {
    clock,
    steps,
    texts,
    trueMs,
    pass: time.pass,
    set: (byMs: number) => void (wrongByMs += byMs),
    suspend: (ms: number) => void (suspendedMs += ms),
    answer: (aheadMs: number, tookMs = 20) => {
      const databaseMs = trueMs() - tookMs / 2 + aheadMs
      clock.followDatabase({ databaseMs, sentMs: time.now() - tookMs, answeredMs: time.now() })
    },
  }
}

test('setting the wall clock is reported, and moves neither the time nor the lease', () => {
  const { clock, steps, texts, trueMs, pass, set } = begin()
  pass(5000)
  set(HOUR_MS)
  assert.equal(clock.moment().suspendedMs, 0)
  pass(60_000)
  assert.equal(clock.now(), trueMs())
  assert.equal(clock.forSignatures(), trueMs())
  assert.equal(clock.moment().suspendedMs, 0)
  assert.deepEqual(clock.status(), { differenceMs: HOUR_MS, phase: 'doubted' })
  assert.deepEqual(steps, ['wall clock'])
  assert.match(texts.join(), /was set while the gateway runs/)
  set(-HOUR_MS)
  pass(2000)
  assert.deepEqual(clock.status(), { differenceMs: 0, phase: 'settled' })
  assert.deepEqual(steps, ['wall clock'])
})

test('a suspension counts for the lease at once, and for the time with the next reading', () => {
  const { clock, steps, trueMs, pass, suspend } = begin()
  pass(5000)
  suspend(8 * HOUR_MS)
  assert.equal(clock.moment().suspendedMs, 8 * HOUR_MS)
  pass(1000)
  assert.equal(clock.now(), trueMs())
  assert.deepEqual(steps, [])
})

test('the first answer of the database sets the time, whatever the wall clock shows', () => {
  const { clock, steps, trueMs, pass, set, answer } = begin()
  set(-3 * HOUR_MS)
  answer(0)
  assert.equal(clock.now(), trueMs())
  pass(3000)
  answer(0)
  set(HOUR_MS)
  pass(3000)
  answer(0)
  assert.equal(clock.now(), trueMs())
  assert.deepEqual(clock.status(), { differenceMs: 0, phase: 'settled' })
  assert.deepEqual(new Set(steps), new Set(['wall clock']))
})

test('a machine that was suspended is right before the database answers again', () => {
  const { clock, trueMs, pass, suspend, answer } = begin()
  answer(0)
  suspend(HOUR_MS)
  pass(1000)
  assert.equal(clock.now(), trueMs())
})

test('the clock of the database is not followed at once when it is set, and slow answers are left out', () => {
  const { clock, steps, trueMs, pass, answer } = begin()
  answer(0)
  pass(3000)
  answer(HOUR_MS)
  pass(3000)
  answer(HOUR_MS)
  assert.equal(clock.now(), trueMs())
  assert.deepEqual(clock.status(), { differenceMs: HOUR_MS, phase: 'doubted' })
  answer(0)
  answer(5000, 1500)
  assert.equal(clock.now(), trueMs())
  assert.deepEqual(clock.status(), { differenceMs: 0, phase: 'settled' })
  assert.deepEqual(steps, ['database'])
})
