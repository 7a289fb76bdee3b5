// The connections to brokers, one per destination: a limited number, each closed when it was not used for a minute.

import { realTimers, type Timers } from '../../kernel/async/timers.ts'
import { onAbort, settledWithin, unlessAborted } from '../../kernel/async/waiting.ts'
import { createSocketGuard, type SocketGuard } from '../../kernel/outbound/socket-guard.ts'
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

// The connection of one destination: opened for its first message, shared by those that follow, and opened again with a backoff.

/** Pauses before the next connection after failures in a row. Shorter than the first pause of the retry schedule. */
const BACKOFF_MS = [0, 500, 1000, 2000, 4000]

/** Connection and login. Less than an attempt, so that a broker that does not answer gets a new connection with the next one. */
const OPEN_MS = 10_000
/** For the farewell of the protocol. */
const CLOSE_MS = 1000
/**
 * More than a broker has to say: greetings, confirmations and heartbeats. A returned message comes in addition. Not more, because a
 * library may take seconds for some hundred thousand tiny packets.
 */
const ALLOWANCE_BYTES = 32 * 1024

/** Every socket of the publisher is watched by the guard. */
type OpenConnection = (guard: SocketGuard) => Promise<Publisher>

interface BrokerConnection {
  /** `sentBytes`: the length of what the work sends. */
  use<T>(
    wanted: { open: OpenConnection; sentBytes: number },
    signal: AbortSignal,
    work: (publisher: Publisher) => Promise<T>,
  ): Promise<T>
  /** Closes it permanently, also while it opens. */
  end(): void
}

interface Opened {
  publisher: Publisher
  guard: SocketGuard
}

function keepConnection({ clock, timers }: { clock: () => number; timers: Timers }): BrokerConnection {
  const ended = new AbortController()
  let current: Opened | undefined
  let opening: Promise<Opened> | undefined
  let failures = 0
  let retryAt = 0

  function drop(opened: Opened | undefined): void {
    if (opened) close(opened, timers)
    if (current === opened) current = undefined
  }

  async function openAgain(open: OpenConnection): Promise<Opened> {
    await pause(timers, retryAt - clock(), ended.signal)
    try {
      const opened = await openGuarded(open, ended.signal, timers)
      failures = 0
      current = opened
      return opened
    } catch (error) {
      failures += 1
      retryAt = clock() + (BACKOFF_MS[Math.min(failures, BACKOFF_MS.length - 1)] ?? 0)
      throw error
    }
  }

  function connected(open: OpenConnection): Promise<Opened> {
    if (current?.publisher.isOpen()) return Promise.resolve(current)
    drop(current)
    opening ??= openAgain(open).finally(() => (opening = undefined))
    return opening
  }

  return {
    async use({ open, sentBytes }, signal, work) {
      const opened = await unlessAborted(connected(open), signal)
      const { publisher, guard } = opened
      try {
        return await guard.exchange(sentBytes, () =>
          unlessAborted(unlessAborted(work(publisher), guard.signal), signal),
        )
      } catch (error) {
        // What was not confirmed may still arrive: a new connection tells old confirmations from new ones.
        if (!(error instanceof BrokerError && error.isRefusal)) drop(opened)
        throw error
      }
    },
    end() {
      ended.abort(new BrokerError('The connection was closed.', { isRefusal: false }))
      drop(current)
    },
  }
}

/** The connection is open within the time, or its sockets are destroyed. */
async function openGuarded(open: OpenConnection, ended: AbortSignal, timers: Timers): Promise<Opened> {
  const guard = createSocketGuard({
    allowanceBytes: ALLOWANCE_BYTES,
    tooMuch: () => new BrokerError('The broker sent more than it was asked for.', { isRefusal: false }),
  })
  const forget = onAbort(ended, () => guard.end(ended.reason as Error))
  const timer = timers.setTimeout(
    () =>
      guard.end(new BrokerError('The broker did not accept the connection in time.', { isRefusal: false })),
    OPEN_MS,
  )
  const opening = open(guard)
  try {
    return { publisher: await unlessAborted(opening, guard.signal), guard }
  } catch (error) {
    guard.end()
    void opening.then(({ close }) => close()).catch(() => undefined)
    throw error
  } finally {
    forget()
    timers.clearTimeout(timer)
  }
}

function close({ publisher, guard }: Opened, timers: Timers): void {
  const closing = Promise.resolve(publisher.close())
  void settledWithin(closing, CLOSE_MS, timers).then(() =>
    guard.end(new BrokerError('The connection was closed.', { isRefusal: false })),
  )
}

function pause(timers: Timers, ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0) return Promise.resolve()
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = timers.setTimeout(resolve, ms)
  return unlessAborted(promise, signal).finally(() => timers.clearTimeout(timer))
}
