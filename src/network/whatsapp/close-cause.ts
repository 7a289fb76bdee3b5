// Why a connection ended, from the library's status codes to the port's causes.
import type { CloseCause } from '../network.ts'

const CAUSES: Record<number, CloseCause> = {
  401: 'logged_out',
  403: 'logged_out',
  406: 'logged_out',
  411: 'logged_out',
  440: 'replaced',
  500: 'bad_session',
  515: 'restart',
}

const TIMED_OUT = 408

/** 408 ends both a pairing that nobody scanned and a connection that went silent. */
export function closeCause(statusCode: number | undefined, isPairing: boolean): CloseCause {
  if (statusCode === TIMED_OUT && isPairing) return 'code_expired'
  return CAUSES[statusCode ?? 0] ?? 'lost'
}
