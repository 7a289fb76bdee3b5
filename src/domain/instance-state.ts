// The states of an instance as a table: what happened, and where that leaves the connection (spec 3, decisions 5).
import type { ConnectionState, StateReason } from '../contract/instances.ts'

export interface StateNow {
  state: ConnectionState
  reason: StateReason | null
}

/** Everything that moves an instance. Whatever the state was, the outcome is the same: the network has the last word. */
export const TRANSITIONS = {
  started: { state: 'connecting', reason: null },
  code_shown: { state: 'connecting', reason: 'awaiting_scan' },
  code_expired: { state: 'close', reason: 'qr_expired' },
  opened: { state: 'open', reason: null },
  connection_lost: { state: 'connecting', reason: 'network_lost' },
  gave_up: { state: 'close', reason: 'network_lost' },
  restricted: { state: 'open', reason: 'restricted' },
  unrestricted: { state: 'open', reason: null },
  logged_out: { state: 'close', reason: 'logged_out' },
  replaced: { state: 'close', reason: 'replaced' },
  stopped: { state: 'close', reason: 'stopped' },
} as const satisfies Record<string, StateNow>

export type StateEvent = keyof typeof TRANSITIONS

/** The columns that an event changes. */
export const stateAfter = (
  event: StateEvent,
): { state: ConnectionState; state_reason: StateReason | null } => ({
  state: TRANSITIONS[event].state,
  state_reason: TRANSITIONS[event].reason,
})
