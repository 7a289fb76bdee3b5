// Ends a synchronisation of the owner's account (app state) that makes no progress. The library requests a collection until the network
// says that it is complete: an answer that does not contain it, or that always promises more, would be requested for ever, under the
// lock that sending and receiving need.
import { type Clock, monotonicClock } from '../../kernel/async/clock.ts'

/** The library itself tries a collection that it cannot read again, once or twice. */
const MAX_REQUESTS = 10
const WINDOW_MS = 60_000
const MAX_COLLECTIONS = 50
/** The line that the library logs before each request. */
const REQUEST_LINE = /^resyncing (.+) from v(\d+)/

/** Called with each line. Throws in the middle of the library's loop, which ends it and releases the lock. */
export function createSyncLimit(clock: Clock = monotonicClock): (line: unknown) => void {
  const requests = new Map<string, { version: string; count: number; since: number }>()
  return (line) => {
    const [, name, version] = (typeof line === 'string' && REQUEST_LINE.exec(line)) || []
    if (name === undefined || version === undefined) return
    const known = requests.get(name)
    const isRepeated = known?.version === version && clock() - known.since < WINDOW_MS
    const entry = isRepeated ? known : { version, count: 0, since: clock() }
    entry.count += 1
    requests.delete(name)
    requests.set(name, entry)
    if (requests.size > MAX_COLLECTIONS) requests.delete(requests.keys().next().value as string)
    if (entry.count > MAX_REQUESTS) throw new Error('the app state makes no progress')
  }
}
