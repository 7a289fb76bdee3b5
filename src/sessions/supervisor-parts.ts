// What a supervisor is built from.
import type { Timers } from '../async/timers.ts'
import type { Network } from '../network/network.ts'
import type { SessionRecorder } from './session-recorder.ts'
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
