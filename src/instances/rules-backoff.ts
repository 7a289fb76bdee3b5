// The backoff of a session: pauses that double up to five minutes, with jitter, without a limit on attempts.

const FIRST_MS = 1000
const LONGEST_MS = 5 * 60_000
/** A connection that was open this long counts as stable: after it the pauses start again. */
export const STABLE_MS = 120_000

/** The pause before try number `tries` (from 1). `random` lies in [0, 1). */
export function pauseBefore(tries: number, random: number): number {
  const full = Math.min(LONGEST_MS, FIRST_MS * 2 ** (tries - 1))
  // Half fixed, half random, so that sessions that were lost together do not reconnect together.
  return Math.round(full / 2 + (full / 2) * random)
}
