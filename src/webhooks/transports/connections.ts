// The connections to brokers, one per destination: a limited number, each closed when it was not used for a minute.
import { realTimers, type Timers } from '../../kernel/async/timers.ts'
import { type BrokerConnection, keepConnection, type OpenConnection } from './connection.ts'
import { BrokerError, type Publisher } from './publisher.ts'

const IDLE_MS = 60_000
/** How often the owners of the connections are looked up: another node may have deleted them. */
const REVIEW_MS = 10_000
/** Each connection has a socket. */
const MAX_CONNECTIONS = 500

/** Whether each destination is enabled. An id that was deleted is missing in the answer. */
export type FindOwners = (ids: readonly number[]) => Promise<ReadonlyMap<number, boolean>>

export interface BrokerConnectionsOptions {
  clock: () => number
  timers?: Timers
  maxConnections?: number
  findOwners: FindOwners
}

export interface BrokerConnections {
  /** Runs the work on the connection of a destination. `settings` tells connections of an earlier state apart. */
  use<T>(
    wanted: { id: number; settings: string; open: OpenConnection; sentBytes: number },
    signal: AbortSignal,
    work: (publisher: Publisher) => Promise<T>,
  ): Promise<T>
  /** Closes those whose destination was deleted or disabled. */
  review(): Promise<void>
  /** Closes all of them; no further one is opened. */
  close(): void
  readonly size: number
}

interface Entry {
  settings: string
  connection: BrokerConnection
  users: number
  idle: ReturnType<Timers['setTimeout']> | undefined
}

export function keepConnections({
  clock,
  timers = realTimers,
  maxConnections = MAX_CONNECTIONS,
  findOwners,
}: BrokerConnectionsOptions): BrokerConnections {
  /** In the order of their last use. */
  const entries = new Map<number, Entry>()
  let isClosed = false

  function drop(id: number, entry: Entry): void {
    if (entries.get(id) === entry) entries.delete(id)
    timers.clearTimeout(entry.idle)
    entry.connection.end()
  }

  const owners = createReview(entries, drop, { findOwners, timers })

  function makeRoom(): void {
    if (entries.size < maxConnections) return
    const unused = [...entries].find(([, { users }]) => users === 0)
    if (!unused) throw new BrokerError('The gateway has too many connections to brokers.')
    drop(...unused)
  }

  function entryOf(id: number, settings: string): Entry {
    const known = entries.get(id)
    if (known && known.settings !== settings) drop(id, known)
    const isKnown = entries.delete(id)
    if (!isKnown) makeRoom()
    const entry = known && isKnown ? known : newEntry(settings, keepConnection({ clock, timers }))
    entries.set(id, entry)
    return entry
  }

  return {
    async use({ id, settings, ...wanted }, signal, work) {
      if (isClosed) throw new BrokerError('The gateway is stopping.', { isRefusal: false })
      const entry = entryOf(id, settings)
      timers.clearTimeout(entry.idle)
      entry.users += 1
      owners.reviewLater()
      try {
        return await entry.connection.use(wanted, signal, work)
      } finally {
        entry.users -= 1
        if (entry.users === 0 && entries.get(id) === entry) {
          entry.idle = timers.setTimeout(() => drop(id, entry), IDLE_MS)
          entry.idle.unref()
        }
      }
    },
    review: owners.review,
    close() {
      isClosed = true
      owners.stop()
      for (const [id, entry] of entries) drop(id, entry)
    },
    get size() {
      return entries.size
    },
  }
}

const newEntry = (settings: string, connection: BrokerConnection): Entry => ({
  settings,
  connection,
  users: 0,
  idle: undefined,
})

/** Ends the connections whose destination was deleted or disabled: now, and every few seconds as long as there are connections. */
function createReview(
  entries: ReadonlyMap<number, Entry>,
  drop: (id: number, entry: Entry) => void,
  { findOwners, timers }: { findOwners: FindOwners; timers: Timers },
) {
  let next: ReturnType<Timers['setTimeout']> | undefined
  let isStopped = false

  async function review(): Promise<void> {
    const ids = [...entries.keys()]
    if (ids.length === 0) return
    const owners = await findOwners(ids)
    for (const id of ids) {
      const entry = entries.get(id)
      const isEnabled = owners.get(id)
      // The test of a disabled destination is in progress.
      const isTested = isEnabled === false && entry !== undefined && entry.users > 0
      if (entry && !isEnabled && !isTested) drop(id, entry)
    }
  }

  async function reviewAgain(): Promise<void> {
    // Without the store nothing is known of the owners. Unused connections are closed all the same.
    await review().catch(() => undefined)
    next = undefined
    if (entries.size > 0) reviewLater()
  }

  function reviewLater(): void {
    if (isStopped || next !== undefined) return
    next = timers.setTimeout(() => void reviewAgain(), REVIEW_MS)
    next.unref()
  }

  return {
    review,
    reviewLater,
    stop() {
      isStopped = true
      timers.clearTimeout(next)
    },
  }
}
