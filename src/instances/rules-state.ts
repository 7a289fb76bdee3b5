// The states of an instance as a table: each event, and the state it leads to.
import type { ConnectionState, StateReason } from '../contract/instances.ts'

export interface StateNow {
  state: ConnectionState
  reason: StateReason | null
}

/** The new state depends on the event alone, not on the previous state: the network decides. */
export const TRANSITIONS = {
  started: { state: 'connecting', reason: null },
  code_shown: { state: 'connecting', reason: 'awaiting_scan' },
  code_expired: { state: 'close', reason: 'qr_expired' },
  passkey_needed: { state: 'connecting', reason: 'awaiting_passkey' },
  passkey_sent: { state: 'connecting', reason: 'passkey_sent' },
  passkey_code_shown: { state: 'connecting', reason: 'awaiting_passkey_confirmation' },
  passkey_disabled: { state: 'close', reason: 'passkey_disabled' },
  passkey_expired: { state: 'close', reason: 'passkey_expired' },
  passkey_refused: { state: 'close', reason: 'passkey_refused' },
  passkey_unanswered: { state: 'close', reason: 'passkey_unanswered' },
  passkey_lost: { state: 'close', reason: 'passkey_lost' },
  passkey_cancelled: { state: 'close', reason: 'passkey_cancelled' },
  opened: { state: 'open', reason: null },
  connection_lost: { state: 'connecting', reason: 'network_lost' },
  proxy_unreachable: { state: 'connecting', reason: 'proxy_unreachable' },
  proxy_refused: { state: 'connecting', reason: 'proxy_refused' },
  unreachable: { state: 'close', reason: 'network_lost' },
  restricted: { state: 'open', reason: 'restricted' },
  unrestricted: { state: 'open', reason: null },
  logged_out: { state: 'close', reason: 'logged_out' },
  replaced: { state: 'close', reason: 'replaced' },
  refused: { state: 'close', reason: 'bad_session' },
  banned: { state: 'close', reason: 'temporarily_banned' },
  outdated: { state: 'close', reason: 'client_outdated' },
  stopped: { state: 'close', reason: 'stopped' },
  held: { state: 'close', reason: 'held' },
} as const satisfies Record<string, StateNow>

export type StateEvent = keyof typeof TRANSITIONS

/** The columns that an event changes. `until` is when the reason ends, where that is known. */
export const stateAfter = (
  event: StateEvent,
  until: number | null = null,
): { state: ConnectionState; state_reason: StateReason | null; state_until: number | null } => ({
  state: TRANSITIONS[event].state,
  state_reason: TRANSITIONS[event].reason,
  state_until: until,
})
