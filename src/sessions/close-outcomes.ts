// What follows when a connection has closed, by its cause.
import type { StateEvent } from '../domain/instance-state.ts'
import type { CloseCause } from '../network/network.ts'

/**
 * A number: worth another try, which uses up so much of the budget. What the network refuses as it is will hardly be better a
 * second later, so that five tries are all it gets. A state: only somebody's doing helps.
 */
export const CLOSE_OUTCOMES: Record<CloseCause, number | StateEvent> = {
  restart: 1,
  lost: 1,
  ended: 1,
  bad_session: 4,
  code_expired: 'code_expired',
  logged_out: 'logged_out',
  replaced: 'replaced',
}
