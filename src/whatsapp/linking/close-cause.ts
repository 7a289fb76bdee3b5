// Maps the library's status codes of a closed connection to the port's causes.
import type { CloseCause } from '../../network/network.ts'
import { DisconnectReason } from '../library/protocol.ts'

const CAUSES: Record<number, CloseCause> = {
  401: 'logged_out',
  402: 'temporarily_banned',
  403: 'logged_out',
  405: 'client_outdated',
  406: 'logged_out',
  411: 'logged_out',
  440: 'replaced',
  500: 'bad_session',
  515: 'restart',
}

/** No QR code was scanned. The status 408 is also that of a failed or silent connection. */
const CODES_ENDED = 'no QR code was scanned in time'

/** Ends a connection without a code that a phone could read. */
export const codesEnded = (): Error =>
  Object.assign(new Error(CODES_ENDED), { output: { statusCode: DisconnectReason.timedOut } })

/** The error of a closed connection, as the library gives it. */
export interface CloseError {
  message?: string
  output?: { statusCode?: number }
}

export function closeCause({ message, output }: CloseError, isPairing: boolean): CloseCause {
  if (isPairing && message === CODES_ENDED) return 'code_expired'
  return CAUSES[output?.statusCode ?? 0] ?? 'lost'
}

/** The end of a temporary ban, from the attributes of the refused login: `expire` is the remaining time in seconds. */
export function banEnd(attributes: unknown, now: number): number | null {
  const seconds = Number((attributes as { expire?: unknown } | undefined)?.expire)
  return Number.isFinite(seconds) && seconds > 0 ? now + seconds * 1000 : null
}
