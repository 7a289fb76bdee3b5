// How long the network's answer about a phone number is used before the network is queried again.

const REGISTERED_MS = 7 * 24 * 60 * 60 * 1000
/** Short, because a number can be registered at any moment. */
const UNREGISTERED_MS = 5 * 60 * 1000

export interface KnownNumber {
  /** Null: the number is not registered. */
  jid: string | null
  askedAt: number
}

/** An answer from the future was stored before the clock was set back: its age is unknown, and it is not used. */
export function isFresh({ jid, askedAt }: KnownNumber, now: number): boolean {
  const ageMs = now - askedAt
  return ageMs >= 0 && ageMs < (jid === null ? UNREGISTERED_MS : REGISTERED_MS)
}
