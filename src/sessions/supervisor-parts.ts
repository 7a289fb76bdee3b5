// What a supervisor is built from.
import type { Timers } from '../kernel/async/timers.ts'
import type { Network } from '../network/network.ts'
import type { SessionRecorder } from '../receiving/recorder.ts'
import type { WantedState } from './wanted-state.ts'

/** Saves the state of one instance. */
export interface InstanceStates {
  /** Resolves after the first try: true when the state is saved, false when saving is retried in the background. */
  recordState(wanted: WantedState): Promise<boolean>
  /** Resolves when all states are saved; false: saving was given up. */
  whenSaved(): Promise<boolean>
}

export interface SupervisorParts {
  network: Network
  recorder: SessionRecorder
  states: InstanceStates
  /** Waits for one of the slots for simultaneous handshakes; the returned function releases it. */
  acquireSlot(): Promise<() => void>
  clock: () => number
  random: () => number
  timers?: Timers
}

/** The session goes on without this work; what failed is logged. */
export const orLog = (recorder: SessionRecorder, work: Promise<unknown>, failure: string): Promise<unknown> =>
  work.catch((error: unknown) => recorder.log(`session: ${failure}: ${String(error)}`))

/** After the state before it: events have the order in which things happened. */
export async function reportPairingCode(
  recorder: SessionRecorder,
  saved: Promise<unknown>,
  code: string,
): Promise<void> {
  await saved
  await orLog(
    recorder,
    recorder.recordPairingCode(code),
    'pairing code event not saved; the code is still valid',
  )
}

/** The longest delay that a timer supports. */
const MAX_TIMER_MS = 2 ** 31 - 1

export const timerMs = (until: number, now: number): number =>
  Math.min(MAX_TIMER_MS, Math.max(0, until - now))
