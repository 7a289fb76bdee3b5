// The time of the gateway: a reference (the clock of the database, or the wall clock) carried on by the monotonic clock and corrected
// slowly. A reference that is set does not move it at once (decision 0115).
//
//   settled ──the reference steps──▶ doubted ──it steps back──▶ settled
//                                      └──for CONFIRM_MS──▶ followed, at double or half speed ──the difference is gone──▶ settled

/** A larger difference between reference and gateway is a step. Smaller ones are corrected at a hundredth of the speed of time. */
export const STEP_MS = 2000
/** A step counts as a correction when it has lasted for this long. Until then it has no effect. */
export const CONFIRM_MS = 10 * 60_000
/** A machine without a battery-backed clock starts with a wrong time, and gets the right one soon after it has started. */
export const BOOT_MS = 10 * 60_000
/** A difference that would take longer than this to catch up is adopted at once when it is confirmed. */
export const JUMP_MS = 24 * 3_600_000

const GENTLE = { forward: 0.01, back: 0.01 }
/** Double and half speed: locks and pauses last half as long or twice as long meanwhile. */
const FAST = { forward: 1, back: 0.5 }
const NONE = { forward: 0, back: 0 }

/** Clocks of the machine that cannot be set. */
export interface ClockReading {
  monotonicMs: number
  /** How long the machine has been suspended so far; the monotonic clock stood still meanwhile. */
  suspendedMs: number
}

export interface ReferenceSample extends ClockReading {
  referenceMs: number
  /** Since the machine was started. */
  uptimeMs: number
}

export type Phase = 'settled' | 'doubted' | 'followed'

export interface SteadyTime extends ClockReading {
  /** The time of the gateway at that reading. */
  shownMs: number
  /** How far the reference was ahead of it. */
  aheadMs: number
  phase: Phase
  /** On the monotonic clock: when the step was noticed. */
  steppedAtMs: number
}

/** stepped: the reference was set. adopted: the gateway has taken over its time at once. followed: it begins to follow. settled: both agree again. */
export type ClockEvent = 'stepped' | 'adopted' | 'followed' | 'settled'

export const startAt = ({ monotonicMs, suspendedMs, referenceMs }: ReferenceSample): SteadyTime => ({
  monotonicMs,
  suspendedMs,
  shownMs: referenceMs,
  aheadMs: 0,
  phase: 'settled',
  steppedAtMs: monotonicMs,
})

const RATES = { settled: GENTLE, doubted: NONE, followed: FAST } satisfies Record<Phase, typeof GENTLE>

function correctionMs({ aheadMs, phase }: SteadyTime, elapsedMs: number): number {
  const { forward, back } = RATES[phase]
  return Math.max(-elapsedMs * back, Math.min(elapsedMs * forward, aheadMs))
}

/** The time of the gateway. It never goes back, unless a confirmed step of more than a day does. */
export function timeAt(state: SteadyTime, monotonicMs: number): number {
  const elapsedMs = Math.max(0, monotonicMs - state.monotonicMs)
  return state.shownMs + elapsedMs + correctionMs(state, elapsedMs)
}

/** The best knowledge of the true time, for signatures that others check: a step that is being followed is applied at once. */
export function trueTimeAt(state: SteadyTime, monotonicMs: number): number {
  const elapsedMs = Math.max(0, monotonicMs - state.monotonicMs)
  return state.phase === 'followed' ? state.shownMs + elapsedMs + state.aheadMs : timeAt(state, monotonicMs)
}

/** The same state at a later reading. Time in which the machine was suspended has passed, and is added at once. */
export function carriedOn(state: SteadyTime, { monotonicMs, suspendedMs }: ClockReading): SteadyTime {
  const elapsedMs = Math.max(0, monotonicMs - state.monotonicMs)
  const suspended = Math.max(0, suspendedMs - state.suspendedMs)
  return {
    ...state,
    monotonicMs: state.monotonicMs + elapsedMs,
    suspendedMs: Math.max(suspendedMs, state.suspendedMs),
    shownMs: timeAt(state, monotonicMs) + suspended,
    aheadMs: state.aheadMs - correctionMs(state, elapsedMs),
  }
}

/** Compares with the reference. */
export function compared(
  before: SteadyTime,
  sample: ReferenceSample,
): { state: SteadyTime; event: ClockEvent | null } {
  const state = carriedOn(before, sample)
  const aheadMs = sample.referenceMs - state.shownMs
  const isSettled = Math.abs(aheadMs) <= STEP_MS
  if (isSettled) {
    const event = before.phase === 'settled' ? null : 'settled'
    return { state: { ...state, aheadMs, phase: 'settled' }, event }
  }
  const isNew = before.phase === 'settled' || Math.abs(aheadMs - state.aheadMs) > STEP_MS
  if (isNew && aheadMs > 0 && sample.uptimeMs < BOOT_MS) return { state: startAt(sample), event: 'adopted' }
  if (isNew)
    return {
      state: { ...state, aheadMs, phase: 'doubted', steppedAtMs: sample.monotonicMs },
      event: 'stepped',
    }
  if (state.phase === 'doubted' && sample.monotonicMs - state.steppedAtMs >= CONFIRM_MS)
    return Math.abs(aheadMs) > JUMP_MS
      ? { state: startAt(sample), event: 'adopted' }
      : { state: { ...state, aheadMs, phase: 'followed' }, event: 'followed' }
  return { state: { ...state, aheadMs }, event: null }
}
