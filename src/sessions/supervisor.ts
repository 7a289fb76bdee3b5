// One live session of one instance: it connects, comes back by itself where that can help, and says why where it cannot.
import type { StateEvent } from '../domain/instance-state.ts'
import {
  type CloseCause,
  type Network,
  NetworkError,
  type NetworkEvent,
  type NetworkSession,
  type OwnAccount,
  type QrCode,
} from '../network/network.ts'
import { pauseBefore, STABLE_MS } from './back-off.ts'
import { type ChangeWatch, createChangeWatch } from './change-watch.ts'
import { CLOSE_OUTCOMES } from './close-outcomes.ts'
import type { SessionBooks } from './session-books.ts'

/** A connection that has shown neither a code nor a login by then is given up and tried again. */
export const CONNECT_MS = 30_000
/** The longest that a timer can wait. */
const MAX_TIMER_MS = 2 ** 31 - 1

export interface SupervisorParts {
  network: Network
  books: SessionBooks
  /** Waits for a place among those that may shake hands at the same time. */
  takeTurn(): Promise<() => void>
  clock: () => number
  random: () => number
}

/** One connection from its beginning to its end. */
interface Attempt {
  session: NetworkSession | undefined
  /** Gives the place among the handshakes back. */
  leave(): void
  /** Resolves when connecting has come to something, good or bad. */
  begun: Promise<void>
}

/** A class, because a dozen short steps move one small set of facts. */
export class Supervisor {
  /** The connection that counts: an earlier one is not listened to any more. */
  #current: Attempt | undefined
  /**
   * Its life: idle → connecting → (pairing | open) → waiting → connecting …, until it is stopped, logged out, replaced, the
   * code ran out, or the tries are used up.
   */
  #state: 'idle' | 'connecting' | 'pairing' | 'open' | 'waiting' = 'idle'
  #qr: QrCode | undefined
  #tries = 0
  #openedAt = 0
  #timer: NodeJS.Timeout | undefined
  /** Looks again when the time is over that the network gave for a restriction; undefined where there is none. */
  #restriction: NodeJS.Timeout | undefined
  /** How often the network has spoken of a restriction, or of its end, by itself. */
  #standingsTold = 0
  /** Settles when every earlier connection is closed: two at a time would throw each other out. */
  #gone: Promise<unknown> = Promise.resolve()
  #written: Promise<void> = Promise.resolve()
  readonly #parts: SupervisorParts
  readonly #watch: ChangeWatch

  constructor(parts: SupervisorParts) {
    this.#parts = parts
    this.#watch = createChangeWatch(parts.clock)
  }

  /** Drops what there is and connects with the login, or for pairing. Resolves when the attempt has begun. */
  async start(): Promise<void> {
    void this.#drop()
    this.#tries = 0
    const moved = this.#move('started')
    this.#begin()
    await moved
  }

  /** The code to scan, waiting for one where needed; null when none came in time or none is needed. */
  async code(waitMs: number): Promise<QrCode | null> {
    const { clock } = this.#parts
    const read = () => (this.#qr && this.#qr.expiresAt > clock() ? this.#qr : undefined)
    return (await this.#whilePairing(read, waitMs)) ?? null
  }

  /** A session that is pairing, for a code by number; null when it opened without. */
  async pairing(waitMs: number): Promise<NetworkSession | null> {
    const read = () => (this.#state === 'pairing' ? this.#current?.session : undefined)
    const found = await this.#whilePairing(read, waitMs)
    if (found === undefined) throw new NetworkError('timeout', 'the network did not offer a pairing in time')
    return found
  }

  /** A code to type on the phone; null when it opened without one. */
  async pairingCode(number: string, waitMs: number): Promise<string | null> {
    const session = await this.pairing(waitMs)
    const code = session && (await session.requestPairingCode(number))
    if (code !== null) await this.#write(() => this.#parts.books.pairingCodeShown(code))
    return code
  }

  /** The open session. Raises where there is none right now. */
  live(): NetworkSession {
    if (this.#state === 'open' && this.#current?.session) return this.#current.session
    throw new NetworkError('unavailable', 'the instance is not connected right now')
  }

  isOpen(): boolean {
    return this.#state === 'open'
  }

  /** Whether an attempt is under way; false while it waits for the next one. */
  isConnecting(): boolean {
    return this.#state === 'connecting' || this.#state === 'pairing'
  }

  /** Asks the network whether the account may write first, and writes down what it says. */
  async checkStanding(): Promise<void> {
    const [attempt, told] = [this.#current, this.#standingsTold]
    const restrictedUntil = await this.live().restrictedUntil()
    // What the network has told unasked meanwhile is the later word.
    if (this.#current === attempt && this.#standingsTold === told) await this.#stands(restrictedUntil)
  }

  /** Ends the login at the network where that can be reached, and closes. Never raises. */
  async logOut(): Promise<void> {
    await this.#drop(this.#state === 'open' ? (session) => session.logOut() : undefined)
    await this.#written
  }

  /** Closes the connection and keeps the login; it does not come back by itself. */
  async stop(): Promise<void> {
    await this.#drop()
    await this.#written
    await this.#parts.books.settled()
  }

  /** Waits for what `read` finds; null as soon as there will be none, because it opened or came to an end. */
  #whilePairing<T>(read: () => T | undefined, waitMs: number): Promise<T | null | undefined> {
    const isOver = () => this.#state === 'open' || this.#state === 'idle'
    return this.#watch.waitFor(() => (isOver() ? null : read()), waitMs)
  }

  #begin(): void {
    const attempt: Attempt = { session: undefined, leave: () => undefined, begun: Promise.resolve() }
    this.#current = attempt
    this.#state = 'connecting'
    attempt.begun = this.#connect(attempt, this.#gone)
  }

  async #connect(attempt: Attempt, before: Promise<unknown>): Promise<void> {
    const { network, books, takeTurn } = this.#parts
    await before
    if (this.#current === attempt) attempt.leave = await takeTurn()
    if (this.#current !== attempt) return attempt.leave()
    this.#timer = setTimeout(() => {
      books.log('the network neither showed a code nor let us in; trying again')
      void this.#lost(attempt)
    }, CONNECT_MS)
    const connected = Promise.withResolvers<void>()
    connected.promise.catch(() => undefined)
    try {
      attempt.session = await network.connect({
        credentials: await books.credentials(),
        findSent: books.findSent,
        // An event may come before the session itself does: it waits for it.
        onEvent: (event) => connected.promise.then(() => this.#handle(attempt, event)),
      })
      connected.resolve()
    } catch (error) {
      connected.reject(error)
      books.log(`connecting failed: ${String(error)}`)
      void this.#lost(attempt)
    }
  }

  async #handle(attempt: Attempt, event: NetworkEvent): Promise<void> {
    const isCurrent = this.#current === attempt
    switch (event.kind) {
      case 'qr':
        if (!isCurrent) return undefined
        this.#reached(attempt, 'pairing')
        this.#qr = { code: event.code, expiresAt: event.expiresAt }
        return this.#codeShown(event)
      case 'opened':
        return isCurrent ? this.#opened(attempt, event.account) : undefined
      case 'standing':
        if (!isCurrent || !this.isOpen()) return undefined
        this.#standingsTold += 1
        return this.#stands(event.restrictedUntil)
      case 'closed':
        return isCurrent ? this.#closed(attempt, event.cause) : undefined
      default:
        // A fact about a message or a person is true whichever connection brought it.
        return this.#parts.books.record(event, () =>
          this.#current === attempt ? attempt.session : undefined,
        )
    }
  }

  #codeShown(qr: QrCode): Promise<void> {
    return this.#write(() => this.#parts.books.codeShown({ code: qr.code, expiresAt: qr.expiresAt }))
  }

  #reached(attempt: Attempt, state: 'pairing' | 'open'): void {
    attempt.leave()
    clearTimeout(this.#timer)
    this.#state = state
  }

  #opened(attempt: Attempt, account: OwnAccount): Promise<void> {
    const { books, clock } = this.#parts
    this.#reached(attempt, 'open')
    this.#qr = undefined
    this.#openedAt = clock()
    void this.#write(
      () => books.opened(account),
      () => void this.#lost(attempt),
    )
    return this.#write(async () => {
      if (this.#current !== attempt) return
      await books.afterOpening(this.live())
      // What was written of a restriction is gone with the last connection, the restriction itself is not.
      void this.checkStanding().catch((error: unknown) =>
        books.log(`the standing is not known: ${String(error)}`),
      )
    })
  }

  #stands(restrictedUntil: number | null): Promise<void> | undefined {
    const wasRestricted = this.#restriction !== undefined
    clearTimeout(this.#restriction)
    this.#restriction = undefined
    if (restrictedUntil === null) return wasRestricted ? this.#move('unrestricted') : undefined
    const leftMs = Math.min(MAX_TIMER_MS, Math.max(0, restrictedUntil - this.#parts.clock()))
    this.#restriction = setTimeout(() => {
      // The network may have prolonged it. Where it does not say, the time that it gave counts.
      void this.checkStanding().catch(() => this.#stands(null))
    }, leftMs)
    return this.#move('restricted')
  }

  #closed(attempt: Attempt, cause: CloseCause): Promise<void> | undefined {
    if (cause === 'restart' && this.#state === 'pairing') {
      void this.#drop()
      const moved = this.#move('started')
      this.#begin()
      return moved
    }
    const outcome = CLOSE_OUTCOMES[cause]
    if (typeof outcome === 'number') return this.#lost(attempt, outcome)
    void this.#drop()
    return outcome === 'logged_out' ? this.#write(this.#parts.books.loginGone) : this.#move(outcome)
  }

  #lost(attempt: Attempt, cost = 1): Promise<void> | undefined {
    if (this.#current !== attempt) return undefined
    const { clock, random } = this.#parts
    const wasStable = this.#state === 'open' && clock() - this.#openedAt >= STABLE_MS
    void this.#drop()
    this.#tries = (wasStable ? 0 : this.#tries) + cost
    const pauseMs = pauseBefore(this.#tries, random())
    if (pauseMs === null) return this.#move('gave_up')
    this.#state = 'waiting'
    this.#timer = setTimeout(() => this.#begin(), pauseMs)
    return this.#move('connection_lost')
  }

  /** Takes leave of the current connection; what it still has to say about itself does not count. */
  #drop(bye = (session: NetworkSession) => session.close()): Promise<unknown> {
    clearTimeout(this.#timer)
    clearTimeout(this.#restriction)
    this.#restriction = undefined
    const attempt = this.#current
    this.#current = undefined
    this.#qr = undefined
    this.#state = 'idle'
    if (attempt) {
      attempt.leave()
      const closing = attempt.begun
        .then(() => attempt.session && bye(attempt.session))
        .catch((error: unknown) => this.#parts.books.log(`closing failed: ${String(error)}`))
      this.#gone = Promise.all([this.#gone, closing])
    }
    this.#watch.changed()
    return this.#gone
  }

  #move(event: StateEvent): Promise<void> {
    return this.#write(() => this.#parts.books.move(event))
  }

  /** What is written stands in the order it happened; a failure is said, and life goes on. */
  #write(work: () => Promise<void>, onFailure?: () => void): Promise<void> {
    this.#written = this.#written.then(work).catch((error: unknown) => {
      this.#parts.books.log(`the session's state could not be written: ${String(error)}`)
      onFailure?.()
    })
    return this.#written.then(this.#watch.changed)
  }
}
