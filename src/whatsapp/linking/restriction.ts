// The restriction of an account: it may answer people, but not start new chats.

import { wallClock } from '../../kernel/async/clock.ts'
import type { NetworkSession } from '../../network/network.ts'
import type { LibrarySocket } from '../library/library-socket.ts'
import type { ReachoutTimelockState } from '../library/protocol.ts'
import { withTimeout } from '../library/with-timeout.ts'

const ANSWER_MS = 15_000

/** Assumed when the network gives no end, or one in the past; its own web client does the same. */
const UNKNOWN_END_MS = 60_000

/**
 * Separates answers from reports: an answer may be older than a report that came meanwhile. The library emits its answers as
 * events too, just before it returns them; those are not reported.
 */
export function createRestrictionLookup(
  socket: Pick<LibrarySocket, 'onEvent' | 'fetchAccountReachoutTimelock'>,
  report: (restrictedUntil: number | null) => void,
  clock: () => number = wallClock,
): Pick<NetworkSession, 'restrictedUntil'> {
  const answers = new WeakSet<ReachoutTimelockState>()
  socket.onEvent('connection.update', ({ reachoutTimeLock: lock }) => {
    if (!lock) return
    setImmediate(() => {
      if (!answers.has(lock)) report(endOfRestriction(lock, clock()))
    })
  })
  return {
    async restrictedUntil() {
      const requested = socket.fetchAccountReachoutTimelock().then((answer) => {
        answers.add(answer)
        return answer
      })
      return endOfRestriction(
        await withTimeout(requested, ANSWER_MS, 'the restriction of the account'),
        clock(),
      )
    },
  }
}

function endOfRestriction(
  { isActive, timeEnforcementEnds }: ReachoutTimelockState,
  nowMs: number,
): number | null {
  if (!isActive) return null
  const endsAt = timeEnforcementEnds?.getTime() ?? 0
  return endsAt > nowMs ? endsAt : nowMs + UNKNOWN_END_MS
}
