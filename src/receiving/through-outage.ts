// Carries the writes of a session through a short outage of the database, for example its restart. Frames wait for these writes, so
// that the connection to the network stays open meanwhile.

import { realTimers, type Timers } from '../kernel/async/timers.ts'
import { isStoreError } from '../kernel/store-error.ts'
import type { Credentials } from '../network/network.ts'

/** Below the shortest time for which a lease is held without a renewal, and far below the limit of the network for silence. */
const HOLD_MS = 6000
const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 500

export interface OutageTimes {
  /** Milliseconds that only grow. */
  now?: () => number
  timers?: Pick<Timers, 'setTimeout'>
}

/**
 * Repeats the work while the store is unavailable. The work must be repeatable: a commit whose answer was lost has taken effect. The
 * network also repeats everything that a broken connection has not acknowledged, so that this holds for all that it reports.
 */
export async function throughOutage<T>(
  work: () => Promise<T>,
  { now = () => performance.now(), timers = realTimers }: OutageTimes = {},
): Promise<T> {
  const giveUpAt = now() + HOLD_MS
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      return await work()
    } catch (error) {
      if (!isStoreError(error, 'unavailable') || now() >= giveUpAt) throw error
    }
    await new Promise<void>((resolve) => void timers.setTimeout(resolve, pauseMs))
  }
}

/** A key has one value at a time, an arrival is stored under its name, and the fencing token is checked at every try. */
export const holdCredentials = (credentials: Credentials): Credentials => ({
  read: (kind, names) => throughOutage(() => credentials.read(kind, names)),
  findArrival: (name) => throughOutage(() => credentials.findArrival(name)),
  write: (keys, arrivals) => throughOutage(() => credentials.write(keys, arrivals)),
})
