// Reads arrivals that are about to be stored: their messages are then stored in one commit with the keys that decrypted them, and the
// arrivals themselves are not (decision 0143). An arrival that must wait for others, or that cannot be read at once, is stored as it is.

import type { Arrival, Interpretation, NetworkSession } from '../network/network.ts'
import type { InstanceGuard } from './arrival-guard.ts'
import type { Receivers } from './arrival-processor.ts'
import { isIndependent, type ReadArrival, type ReceivedDeps, reportsOf } from './received.ts'
import type { NetworkReport } from './report-store.ts'
import { noteStored } from './set-aside.ts'

export interface EarlyReading {
  /** What the first of the arrivals say. */
  reports: readonly NetworkReport[]
  /** The arrivals after them, which are stored as they are. */
  others: Arrival[]
  /** The reports are stored. */
  noteStored(): void
  /** All the arrivals are stored as they are. */
  noteRefused(): void
}

export interface EarlyReader {
  /** One call at a time. */
  read(arrivals: Arrival[]): Promise<EarlyReading>
}

export interface EarlyReaderParts {
  deps: ReceivedDeps
  select(read: Interpretation): Interpretation
  guard: InstanceGuard
  receivers: Receivers
  /** The session, if it is open and no arrival waits to be processed. */
  idleSession(): NetworkSession | undefined
  /** These will be processed in their turn. */
  noteWaiting(arrivals: readonly Arrival[]): void
  /** These are processed, although the driver will report them. */
  noteProcessed(names: readonly string[]): void
}

export function createEarlyReader(parts: EarlyReaderParts): EarlyReader {
  const { deps, guard, receivers, idleSession, noteWaiting, noteProcessed } = parts

  /** Empty: none can be stored as a message now. */
  async function readFirst(arrivals: Arrival[]): Promise<{ read: ReadArrival[]; reports: NetworkReport[] }> {
    const session = idleSession()
    const receiver = session && (await receivers.find(session).catch(() => undefined))
    const read = receiver ? await readEach(parts, session, arrivals) : []
    if (!receiver || read.length === 0) return NONE
    const names = read.map(({ name }) => name)
    const reports = await guard.run(names, () => reportsOf(deps, receiver, read)).catch(() => [])
    return reports.length === 0 ? NONE : { read, reports }
  }

  return {
    async read(arrivals) {
      const { read, reports } = await readFirst(arrivals)
      const committing = deps.trace?.start()
      const others = arrivals.slice(read.length)
      noteWaiting(others)
      return {
        reports,
        others,
        noteStored() {
          noteProcessed(read.map(({ name }) => name))
          noteStored(deps, reports, { started: read, committing })
        },
        noteRefused: () => noteWaiting(arrivals),
      }
    },
  }
}

const NONE = { read: [], reports: [] }

/** Until the first arrival that is not a message of its own. */
async function readEach(
  { deps, guard, select }: Pick<EarlyReaderParts, 'deps' | 'guard' | 'select'>,
  session: NetworkSession,
  arrivals: Arrival[],
): Promise<ReadArrival[]> {
  const taken: ReadArrival[] = []
  for (const { name, payload } of arrivals) {
    // An arrival that may end the process is stored first: two deaths are counted by its copy in the store.
    if (guard.isSuspect(name)) break
    const started = deps.trace?.start()
    const read = await guard.run([name], () => session.interpretNow(payload)).catch(() => undefined)
    const selected = read && select(read)
    if (!selected || !isOneMessage(selected)) break
    taken.push({ name, read: selected, started })
  }
  return taken
}

/** A delivery that comes again is recognized by the stored message. Without one, the arrival itself must be stored. */
const isOneMessage = (read: Interpretation): boolean => read.messages.length === 1 && isIndependent(read)
