// The connections to brokers, one per destination: a limited number, each closed when it was not used for a minute.
import { realTimers, type Timers } from '../async/timers.ts'
import { type BrokerConnection, keepConnection, type OpenConnection } from './connection.ts'
import { BrokerError, type Publisher } from './publisher.ts'

const IDLE_MS = 60_000
/** Each connection has a socket. */
const MAX_CONNECTIONS = 500

export interface BrokerConnectionsOptions {
  clock: () => number
  timers?: Timers
  maxConnections?: number
}

export interface BrokerConnections {
  /** Runs the work on the connection of a destination. `settings` tells connections of an earlier state apart. */
  use<T>(
    wanted: { id: number; settings: string; open: OpenConnection },
    signal: AbortSignal,
    work: (publisher: Publisher) => Promise<T>,
  ): Promise<T>
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
}: BrokerConnectionsOptions): BrokerConnections {
  /** In the order of their last use. */
  const entries = new Map<number, Entry>()
  let isClosed = false

  function drop(id: number, entry: Entry): void {
    if (entries.get(id) === entry) entries.delete(id)
    timers.clearTimeout(entry.idle)
    entry.connection.end()
  }

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
    const fresh = () => ({
      settings,
      connection: keepConnection({ clock, timers }),
      users: 0,
      idle: undefined,
    })
    const entry = known && isKnown ? known : fresh()
    entries.set(id, entry)
    return entry
  }

  return {
    async use({ id, settings, open }, signal, work) {
      if (isClosed) throw new BrokerError('The gateway is stopping.', { isRefusal: false })
      const entry = entryOf(id, settings)
      timers.clearTimeout(entry.idle)
      entry.users += 1
      try {
        return await entry.connection.use(open, signal, work)
      } finally {
        entry.users -= 1
        if (entry.users === 0 && entries.get(id) === entry) {
          entry.idle = timers.setTimeout(() => drop(id, entry), IDLE_MS)
          entry.idle.unref()
        }
      }
    },
    close() {
      isClosed = true
      for (const [id, entry] of entries) drop(id, entry)
    },
    get size() {
      return entries.size
    },
  }
}
