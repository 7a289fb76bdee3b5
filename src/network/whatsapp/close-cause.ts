// Maps the library's status codes of a closed connection to the port's causes.
import type { CloseCause } from '../network.ts'

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

const TIMED_OUT = 408

/** 408 means an expired QR code while pairing, and a connection without traffic otherwise. */
export function closeCause(statusCode: number | undefined, isPairing: boolean): CloseCause {
  if (statusCode === TIMED_OUT && isPairing) return 'code_expired'
  return CAUSES[statusCode ?? 0] ?? 'lost'
}

/** The end of a temporary ban, from the attributes of the refused login: `expire` is the remaining time in seconds. */
export function banEnd(attributes: unknown, now: number): number | null {
  const seconds = Number((attributes as { expire?: unknown } | undefined)?.expire)
  return Number.isFinite(seconds) && seconds > 0 ? now + seconds * 1000 : null
}
