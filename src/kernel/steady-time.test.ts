// The time of the gateway on virtual clocks: steps of the reference, suspended machines, wrong clocks after the start, drift.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  BOOT_MS,
  type ClockEvent,
  CONFIRM_MS,
  compared,
  JUMP_MS,
  STEP_MS,
  type SteadyTime,
  startAt,
  timeAt,
  trueTimeAt,
} from './steady-time.ts'

const HOUR_MS = 3_600_000
const NOON = Date.UTC(2026, 0, 15, 12)

/** A machine whose clocks a test moves. The reference is read every second. */
function createMachine(uptimeMs = 2 * BOOT_MS) {
  let trueMs = NOON
  let [monotonicMs, suspendedMs, wrongByMs] = [0, 0, 0]
  const sample = () => ({
    monotonicMs,
    suspendedMs,
    referenceMs: trueMs + wrongByMs,
    uptimeMs: uptimeMs + monotonicMs + suspendedMs,
  })
  let state: SteadyTime = startAt(sample())
  const events: ClockEvent[] = []
  const shown: number[] = [NOON]
  function readReference(): void {
    const next = compared(state, sample())
    state = next.state
    if (next.event) events.push(next.event)
    shown.push(timeAt(state, monotonicMs))
  }
  return {
    events,
    shown,
    now: () => timeAt(state, monotonicMs),
    forSignatures: () => trueTimeAt(state, monotonicMs),
    reference: () => trueMs + wrongByMs,
    trueMs: () => trueMs,
    run(ms: number, readEveryMs = 1000): void {
      for (let left = ms; left > 0; left -= readEveryMs) {
        const passed = Math.min(left, readEveryMs)
        trueMs += passed
        monotonicMs += passed
        readReference()
      }
    },
    suspend(ms: number): void {
      trueMs += ms
      suspendedMs += ms
    },
    set(byMs: number): void {
      wrongByMs += byMs
    },
    readReference,
  }
}

test('a step that is taken back within the time of confirmation has no effect', () => {
  for (const stepMs of [HOUR_MS, -HOUR_MS, 40 * JUMP_MS, STEP_MS + 1]) {
    const machine = createMachine()
    machine.run(5000)
    machine.set(stepMs)
    machine.run(CONFIRM_MS - 2000)
    assert.equal(machine.now(), machine.trueMs())
    assert.equal(machine.forSignatures(), machine.trueMs())
    machine.set(-stepMs)
    machine.run(5000)
    assert.equal(machine.now(), machine.trueMs())
    assert.deepEqual(machine.events, ['stepped', 'settled'])
  }
})

test('a step that lasts is followed at double or half speed; signatures use it at once', () => {
  for (const [stepMs, neededMs] of [
    [HOUR_MS, HOUR_MS],
    [-HOUR_MS, 2 * HOUR_MS],
  ] as const) {
    const machine = createMachine()
    machine.set(stepMs)
    machine.run(CONFIRM_MS + 2000)
    assert.deepEqual(machine.events, ['stepped', 'followed'])
    assert.equal(machine.forSignatures(), machine.reference())
    assert.notEqual(machine.now(), machine.reference())
    machine.run(neededMs)
    assert.ok(Math.abs(machine.now() - machine.reference()) <= STEP_MS)
    machine.run(STEP_MS * 100)
    assert.equal(machine.now(), machine.reference())
    assert.deepEqual(machine.events, ['stepped', 'followed', 'settled'])
  }
})

test('a difference of more than a day is adopted when it is confirmed', () => {
  for (const stepMs of [JUMP_MS + HOUR_MS, -JUMP_MS - HOUR_MS]) {
    const machine = createMachine()
    machine.set(stepMs)
    machine.run(CONFIRM_MS + 2000)
    assert.equal(machine.now(), machine.reference())
    assert.deepEqual(machine.events, ['stepped', 'adopted'])
  }
})

test('a machine that has just started and gets the right time adopts it at once, but never goes back at once', () => {
  const ahead = createMachine(30_000)
  ahead.set(400 * JUMP_MS)
  ahead.readReference()
  assert.equal(ahead.now(), ahead.reference())
  assert.deepEqual(ahead.events, ['adopted'])
  const back = createMachine(30_000)
  back.set(-HOUR_MS)
  back.readReference()
  assert.equal(back.now(), back.trueMs())
  assert.deepEqual(back.events, ['stepped'])
})

test('the time in which the machine was suspended is added at once, and is not a step', () => {
  const machine = createMachine()
  machine.run(5000)
  machine.suspend(8 * HOUR_MS)
  machine.readReference()
  assert.equal(machine.now(), machine.trueMs())
  assert.deepEqual(machine.events, [])
})

test('a second step during doubt starts the time of confirmation again', () => {
  const machine = createMachine()
  machine.set(HOUR_MS)
  machine.run(CONFIRM_MS - 5000)
  machine.set(HOUR_MS)
  machine.run(CONFIRM_MS - 5000)
  assert.equal(machine.now(), machine.trueMs())
  assert.deepEqual(machine.events, ['stepped', 'stepped'])
})

const happening = fc.oneof(
  fc.record({ kind: fc.constant('run' as const), ms: fc.integer({ min: 1, max: 20 * 60_000 }) }),
  fc.record({ kind: fc.constant('set' as const), ms: fc.integer({ min: -20 * HOUR_MS, max: 20 * HOUR_MS }) }),
  fc.record({ kind: fc.constant('suspend' as const), ms: fc.integer({ min: 2000, max: 10 * HOUR_MS }) }),
)

test('time never goes back, except by a confirmed step of more than a day, and in the end agrees with a reference that stays as it is', () => {
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 12 }), (happenings) => {
      const machine = createMachine()
      for (const { kind, ms } of happenings) machine[kind](ms, 10_000)
      machine.readReference()
      for (const [index, shown] of machine.shown.entries()) {
        const backMs = (machine.shown[index - 1] ?? shown) - shown
        assert.ok(backMs <= 0 || backMs > JUMP_MS, `went back by ${backMs} at ${index}`)
      }
      const awayMs = Math.abs(machine.reference() - machine.now())
      machine.run(CONFIRM_MS + 2 * awayMs + 300 * STEP_MS, 60_000)
      assert.ok(Math.abs(machine.reference() - machine.now()) <= STEP_MS)
    }),
    { numRuns: 200 },
  )
})

test('a reference that is read with delays moves the time by a hundredth at most', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -900, max: 900 }), { maxLength: 50 }), (delays) => {
      const machine = createMachine()
      let wrong = 0
      for (const delay of delays) {
        machine.set(delay - wrong)
        wrong = delay
        const before = machine.now()
        machine.run(3000, 3000)
        const passedMs = machine.now() - before
        assert.ok(Math.abs(passedMs - 3000) <= 30 + 1e-6, String(passedMs))
      }
    }),
  )
})
