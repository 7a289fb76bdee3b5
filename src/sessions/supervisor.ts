// One live session of one instance: it connects, comes back by itself where that can help, and says why where it cannot.
import type { StateEvent } from '../domain/instance-state.ts'
import {
  type CloseCause,
  type Network,
  NetworkError,
  type NetworkEvent,
  type NetworkSession,
  type QrCode,
} from '../network/network.ts'
import type { InstanceRow } from '../store/queries/instances.ts'
import { pauseBefore, STABLE_MS } from './back-off.ts'
import type { SessionBooks } from './session-books.ts'

/** A connection that has shown neither a code nor a login by then is given up and tried again. */
const CONNECT_MS = 30_000

export interface Supervisor {
  /** Connects with the login there is, or for pairing. Resolves when the attempt has begun. */
  start(): Promise<void>
  /** The code to scan, waiting for one where needed; null when none came in time. */
  qr(waitMs: number): Promise<QrCode | null>
  /** The open session. Raises where there is none right now. */
  live(): NetworkSession
  /** A session that is pairing, for a code by number. */
  pairing(waitMs: number): Promise<NetworkSession>
  isOpen(): boolean
  isPairing(): boolean
  logOut(): Promise<void>
  /** Closes the connection and keeps the login; it does not come back by itself. */
  stop(): Promise<void>
}

interface Parts {
  network: Network
  books: SessionBooks
  instance: Pick<InstanceRow, 'id'>
  /** Waits for a place among those that may shake hands at the same time. */
  takeTurn(): Promise<() => void>
  clock: () => number
  random: () => number
}

/**
 * Its life: idle → connecting → (pairing | open) → lost → connecting …, until it is stopped, logged out, replaced, the code
 * ran out, or the tries are used up. `generation` tells the current connection's events from those of one before.
 */
export function createSupervisor({ network, books, takeTurn, clock, random }: Parts): Supervisor {
  let generation = 0
  let session: NetworkSession | undefined
  let state: 'idle' | 'connecting' | 'pairing' | 'open' = 'idle'
  let qr: QrCode | undefined
  let tries = 0
  let openedAt = 0
  let timer: NodeJS.Timeout | undefined
  let waiters: (() => void)[] = []

  function changed(): void {
    const woken = waiters
    waiters = []
    for (const wake of woken) wake()
  }
  async function waitFor<T>(read: () => T | undefined, waitMs: number): Promise<T | undefined> {
    const deadline = clock() + waitMs
    for (let found = read(); ; found = read()) {
      const left = deadline - clock()
      if (found !== undefined || left <= 0) return found
      const turn = Promise.withResolvers<void>()
      waiters.push(turn.resolve)
      const late = setTimeout(turn.resolve, left)
      await turn.promise
      clearTimeout(late)
    }
  }

  async function connect(): Promise<void> {
    generation += 1
    const mine = generation
    clearTimeout(timer)
    state = 'connecting'
    const leave = await takeTurn()
    if (mine !== generation) return leave()
    timer = setTimeout(() => void session?.close().then(() => lost(mine)), CONNECT_MS)
    try {
      const opened = await network.connect({
        credentials: await books.credentials(),
        findSent: books.findSent,
        onEvent: (event) => (mine === generation ? handle(mine, event, leave) : noted(event)),
      })
      if (mine === generation) session = opened
      else await opened.close()
    } catch (error) {
      leave()
      books.log(`connecting failed: ${String(error)}`)
      if (mine === generation) await lost(mine)
    }
  }

  /** A connection that is being closed still tells the network that it has what came in: so it must be written down. */
  const noted = (event: NetworkEvent): Promise<void> =>
    event.kind === 'qr' || event.kind === 'opened' || event.kind === 'closed'
      ? Promise.resolve()
      : books.record(event, () => undefined)

  async function handle(mine: number, event: NetworkEvent, leave: () => void): Promise<void> {
    switch (event.kind) {
      case 'qr':
        leave()
        clearTimeout(timer)
        state = 'pairing'
        qr = { code: event.code, expiresAt: event.expiresAt }
        await books.move('code_shown')
        return changed()
      case 'opened':
        leave()
        clearTimeout(timer)
        state = 'open'
        qr = undefined
        openedAt = clock()
        await books.opened(event.account)
        changed()
        return books.afterOpening(live())
      case 'closed':
        leave()
        return closed(mine, event.cause)
      default:
        return books.record(event, () => session)
    }
  }

  async function closed(mine: number, cause: CloseCause): Promise<void> {
    clearTimeout(timer)
    session = undefined
    qr = undefined
    const end = ENDS[cause]
    if (cause === 'restart') return connect()
    if (end === undefined) return lost(mine)
    state = 'idle'
    generation += 1
    if (cause === 'logged_out') await books.loginGone()
    else if (end !== null) await books.move(end)
    changed()
  }

  async function lost(mine: number): Promise<void> {
    if (mine !== generation) return
    if (state === 'open' && clock() - openedAt > STABLE_MS) tries = 0
    state = 'connecting'
    session = undefined
    tries += 1
    const pauseMs = pauseBefore(tries, random())
    if (pauseMs === null) {
      state = 'idle'
      await books.move('gave_up')
      return changed()
    }
    timer = setTimeout(() => void connect(), pauseMs)
    await books.move('connection_lost')
    changed()
  }

  function live(): NetworkSession {
    if (state === 'open' && session) return session
    throw new NetworkError('unavailable', 'the instance is not connected right now')
  }
  async function end(): Promise<NetworkSession | undefined> {
    generation += 1
    clearTimeout(timer)
    const ended = session
    session = undefined
    qr = undefined
    state = 'idle'
    tries = 0
    changed()
    return ended
  }

  return {
    async start() {
      const old = await end()
      await old?.close()
      await books.move('started')
      void connect()
    },
    qr: async (waitMs) =>
      (await waitFor(() => (qr && qr.expiresAt > clock() ? qr : undefined), waitMs)) ?? null,
    live,
    async pairing(waitMs) {
      const found = await waitFor(() => (state === 'pairing' ? session : undefined), waitMs)
      if (!found) throw new NetworkError('timeout', 'the network did not offer a pairing in time')
      return found
    },
    isOpen: () => state === 'open',
    isPairing: () => state === 'pairing' || state === 'connecting',
    async logOut() {
      const ended = await end()
      await ended
        ?.logOut()
        .catch((error: unknown) => books.log(`logging out at the network failed: ${String(error)}`))
    },
    async stop() {
      const ended = await end()
      await ended?.close()
    },
  }
}

/** Causes after which only somebody's doing helps, and the state they leave; undefined: worth another try. */
const ENDS: Record<CloseCause, StateEvent | null | undefined> = {
  restart: undefined,
  lost: undefined,
  bad_session: undefined,
  ended: null,
  code_expired: 'code_expired',
  logged_out: 'logged_out',
  replaced: 'replaced',
}
