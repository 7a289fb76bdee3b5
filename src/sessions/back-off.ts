// When to try again: longer and longer, never at the same moment as everybody else, and not for ever.

const FIRST_MS = 1000
const LONGEST_MS = 60_000
/** Tries without a stable connection in between, after which somebody has to look (promise B1). */
export const MAX_TRIES = 20
/** A connection that lived this long counts as stable: the next loss starts from the beginning. */
export const STABLE_MS = 120_000

/** The pause before try number `tries` (from 1); null: no more. `random` lies in [0, 1). */
export function pauseBefore(tries: number, random: number): number | null {
  if (tries > MAX_TRIES) return null
  const full = Math.min(LONGEST_MS, FIRST_MS * 2 ** (tries - 1))
  // Half fixed, half drawn, so that a thousand sessions that were cut off together do not come back together.
  return Math.round(full / 2 + (full / 2) * random)
}
