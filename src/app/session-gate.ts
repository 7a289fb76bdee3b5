// A gate between requests and live sessions: refuses calls while the gateway is held, and ends waiting calls when it stops.
import { unlessAborted } from '../kernel/async/waiting.ts'
import { type LiveSessions, NetworkError } from '../network/network.ts'

export interface SessionGate {
  isHeld(): boolean
  stopping: AbortSignal
}

/** A log-out must complete, closing is part of the stop, and the readiness check does not use the network. */
const UNGATED: ReadonlySet<string> = new Set<keyof LiveSessions>(['logOut', 'end', 'close', 'check'])

type Call = (...args: unknown[]) => Promise<unknown>

/** Every method is gated unless it is listed above, so that a new method is safe by default. */
export function gateSessions(sessions: LiveSessions, gate: SessionGate): LiveSessions {
  const gated = Object.entries(sessions).map(([name, call]: [string, unknown]) => [
    name,
    typeof call !== 'function' || UNGATED.has(name) ? call : gateCall(call as Call, gate),
  ])
  return Object.fromEntries(gated) as LiveSessions
}

const gateCall =
  (call: Call, { isHeld, stopping }: SessionGate): Call =>
  async (...args) => {
    if (isHeld()) throw new NetworkError('held', 'the gateway is held')
    return unlessAborted(
      call(...args),
      stopping,
      () => new NetworkError('unavailable', 'the server is stopping'),
    )
  }
