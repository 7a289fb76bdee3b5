// The network's word on an account that may answer people but not write first.
import type { ReachoutTimelockState, WASocket } from 'baileys'
import type { NetworkSession } from '../network.ts'
import { inTime } from './in-time.ts'

const ANSWER_MS = 15_000

/** What the network's own web client assumes where no end is given. An end that has passed is none either. */
const UNKNOWN_END_MS = 60_000

/**
 * What we ask, and what the network tells by itself, kept apart: an answer may be older than what was told while we waited for it.
 * The library tells its answers as news too, just before it hands them over.
 */
export function createStandings(
  socket: Pick<WASocket, 'ev' | 'fetchAccountReachoutTimelock'>,
  tell: (restrictedUntil: number | null) => void,
): Pick<NetworkSession, 'restrictedUntil'> {
  const answers = new WeakSet<ReachoutTimelockState>()
  socket.ev.on('connection.update', ({ reachoutTimeLock: standing }) => {
    if (!standing) return
    setImmediate(() => {
      if (!answers.has(standing)) tell(endOfRestriction(standing, Date.now()))
    })
  })
  return {
    async restrictedUntil() {
      const asked = socket.fetchAccountReachoutTimelock().then((answer) => {
        answers.add(answer)
        return answer
      })
      return endOfRestriction(await inTime(asked, ANSWER_MS, "the account's standing"), Date.now())
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
