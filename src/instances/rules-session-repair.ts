// Compares the stored state of an instance with its session, and decides how a difference is repaired.

import { type StateEvent, TRANSITIONS } from './rules.ts'
import { PASSKEY_ENDS } from './rules-passkey.ts'

/** The stored state. */
export interface StoredSession {
  state: string
  state_reason: string | null
  state_until: number | null
  logged_in: number
  logout_requested_at: number | null
}

/** The supervisor's view of the session. */
export interface SessionView {
  /** No attempt is under way or planned. */
  isIdle: boolean
  /** The state that should be stored; undefined before the first start. */
  wanted: { event: StateEvent } | undefined
}

/**
 * save_again: the stored state differs from the session's. start: a login has no session. mark_stopped: an instance without a
 * login is stored as open. finish_log_out: a log-out was recorded but not finished.
 */
export type Repair = 'none' | 'save_again' | 'start' | 'mark_stopped' | 'finish_log_out'

/** After these a session stays idle until a request or the next start of the process. */
const FINAL_EVENTS: ReadonlySet<StateEvent> = new Set([
  'code_expired',
  ...Object.values(PASSKEY_ENDS),
  'logged_out',
  'replaced',
  'refused',
  'outdated',
])

export function repairOf(row: StoredSession, session: SessionView | undefined): Repair {
  if (row.logout_requested_at !== null) return 'finish_log_out'
  const wanted = session?.wanted
  if (!session || !wanted) return repairWithoutSession(row)
  const { state, reason } = TRANSITIONS[wanted.event]
  if (state !== row.state || reason !== row.state_reason) return 'save_again'
  return session.isIdle && row.logged_in === 1 && !FINAL_EVENTS.has(wanted.event) ? 'start' : 'none'
}

function repairWithoutSession(row: StoredSession): Repair {
  if (row.logged_in === 0) return row.state === 'open' ? 'mark_stopped' : 'none'
  const stayedReplaced = row.state_reason === 'replaced' && row.state_until === null
  return stayedReplaced ? 'none' : 'start'
}
