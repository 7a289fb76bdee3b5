// Supervises the session of one instance: connects, reconnects where that can help, and records the state of the instance.

import { needsReconnect, TRANSITIONS } from '../instances/rules.ts'
import { afterClose, NO_SETBACKS, type Setbacks, setbacksAfter } from '../instances/rules-close-outcomes.ts'
import { PASSKEY_STATES } from '../instances/rules-passkey.ts'
import { realTimers, type Timers } from '../kernel/async/timers.ts'
import { type Condition, createCondition } from '../kernel/async/waiting.ts'
import {
  type Closed,
  NetworkError,
  type NetworkEvent,
  type NetworkSession,
  type OwnAccount,
  type QrCode,
  type SessionOptions,
} from '../network/network.ts'
import { createPasskeyCeremony, type PasskeyCeremony } from './passkey-ceremony.ts'
import { orLog, reportPairingCode, type SupervisorParts, timerMs } from './supervisor-parts.ts'
import { isSameState, type WantedState } from './wanted-state.ts'

/** A connection that has neither shown a QR code nor opened by then is closed and retried. */
export const CONNECT_MS = 30_000

/** One connection from start to end. */
interface Attempt {
  session: NetworkSession | undefined
  releaseSlot(): void
  /** Resolves when connecting has succeeded or failed. */
  settled: Promise<void>
}

type Timer = ReturnType<Timers['setTimeout']>

/**
 * A supervisor is in one of five states.
 *
 * - idle: no connection, and none is planned. It starts here, and returns here when it is stopped or logged out, when the QR
 *   code has expired, or when the network has refused the login.
 * - connecting: an attempt is under way. It waits for earlier connections to close and for a handshake slot, then connects.
 * - pairing: the network showed a QR code, because the instance has no login. After a scan it may demand a passkey first.
 *   Linking ends this connection with `restart`, and the next attempt follows at once.
 * - open: the network has accepted the login. Requests and the send worker use the session.
 * - waiting: the connection closed, and a timer starts the next attempt.
 *
 * start() leads from any state to connecting. The network moves an attempt on: a QR code leads to pairing, an opened event to
 * open. When a connection closes, instances/rules-close-outcomes.ts decides by the cause: wait and retry, or become idle. The state of
 * the instance that callers see follows from these steps. It is saved separately (state-keeper.ts), because the store may be
 * unavailable while the connection works.
 *
 * Only the current attempt counts. Closing takes time and events arrive late, so each event names its attempt; an event about
 * the connection of an earlier attempt is ignored. Two connections with one login would replace each other, so a new attempt
 * waits until all earlier ones are closed.
 */
export class Supervisor {
  #current: Attempt | undefined
  #state: 'idle' | 'connecting' | 'pairing' | 'open' | 'waiting' = 'idle'
  /** Logged out or stopped: a request that still refers to this supervisor cannot start it again. */
  #isEnded = false
  #qr: QrCode | undefined
  /** What the latest attempt was made with. */
  #options: SessionOptions | undefined
  #setbacks: Setbacks = NO_SETBACKS
  #openedAt = 0
  /** In connecting the time limit of the attempt, in waiting the pause before the next one. */
  #timer: Timer | undefined
  /** Refreshes the restriction when it should end; undefined while the account is not restricted. */
  #restrictionTimer: Timer | undefined
  /** How often the network has reported a restriction, or its end, without being asked. */
  #restrictionReports = 0
  /** Settles when every earlier connection is closed. */
  #allClosed: Promise<unknown> = Promise.resolve()
  /** Settles when a login that the network ended is destroyed: a new connection would still find its credentials. */
  #loginDestroyed: Promise<unknown> = Promise.resolve()
  /** The state that the instance should have by now. */
  #wanted: WantedState | undefined
  /** Settles when saving that state was tried once. */
  #lastSave: Promise<unknown> = Promise.resolve()
  /** The step of linking in which the network demands a passkey. */
  readonly passkey: PasskeyCeremony
  readonly #parts: SupervisorParts
  readonly #timers: Timers
  readonly #condition: Condition

  constructor(parts: SupervisorParts) {
    this.#parts = parts
    this.#timers = parts.timers ?? realTimers
    this.#condition = createCondition(parts.clock, this.#timers)
    this.passkey = createPasskeyCeremony(
      parts.clock,
      (end) => this.#current && this.#closed(this.#current, end),
    )
  }

  /** Closes the current connection and connects again, with the login or for pairing. Resolves when the attempt has started. */
  async start(setbacks = NO_SETBACKS): Promise<void> {
    if (this.#isEnded) return
    const news = this.passkey.end('stopped')
    void this.#drop()
    this.#setbacks = setbacks
    const saved = this.#recordState({ event: 'started', ...news })
    this.#beginAttempt()
    await saved
  }

  /** Continues where an earlier process ended: an attempt that was planned for later is made at that time. */
  async resume({ reason, until }: { reason: string | null; until: number | null }): Promise<void> {
    const isReplaced = reason === 'replaced'
    const hasPause = isReplaced || reason === 'temporarily_banned'
    const setbacks = { ...NO_SETBACKS, wasReplaced: isReplaced }
    if (!hasPause || until === null || until <= this.#parts.clock()) return this.start(setbacks)
    this.#setbacks = setbacks
    this.#wanted = { event: isReplaced ? 'replaced' : 'banned', until }
    this.#wait(until)
  }

  /** Saves the state once more, because the stored one differs from it. */
  async saveAgain(): Promise<void> {
    if (!this.#wanted) return
    const { event, until = null } = this.#wanted
    await this.#save({ event, until })
  }

  /** The QR code to scan, waiting for one if needed; null if none came in time or none is needed. */
  async code(waitMs: number): Promise<QrCode | null> {
    const { clock } = this.#parts
    const read = () => (this.#qr && this.#qr.expiresAt > clock() ? this.#qr : undefined)
    return (await this.#waitWhilePairing(read, waitMs)) ?? null
  }

  /** The session in pairing, for a pairing code; null if it opened without one. */
  async pairing(waitMs: number): Promise<NetworkSession | null> {
    const read = () => (this.#state === 'pairing' ? this.#current?.session : undefined)
    const found = await this.#waitWhilePairing(read, waitMs)
    if (found === undefined) throw new NetworkError('timeout', 'the network did not start pairing in time')
    return found
  }

  /** A code to type on the phone; null if the session opened without one. */
  async pairingCode(number: string, waitMs: number): Promise<string | null> {
    const session = await this.pairing(waitMs)
    const code = session && (await session.requestPairingCode(number))
    if (code !== null) await reportPairingCode(this.#parts.recorder, this.#lastSave, code)
    return code
  }

  /** The open session. Throws if the session is not open. */
  openSession(): NetworkSession {
    if (this.#state === 'open' && this.#current?.session) return this.#current.session
    throw new NetworkError('unavailable', 'the instance is not connected right now')
  }

  isOpen(): boolean {
    return this.#state === 'open'
  }

  isIdle(): boolean {
    return this.#state === 'idle'
  }

  /** The state that the instance should have by now; undefined before the first start. */
  wanted(): WantedState | undefined {
    return this.#wanted
  }

  /** Whether an attempt is under way; false while waiting for the next one. */
  isConnecting(): boolean {
    return this.#state === 'connecting' || this.#state === 'pairing'
  }

  /** Asks the network until when the account may not start new chats, and records the answer. */
  async refreshRestriction(): Promise<void> {
    const [attempt, reports] = [this.#current, this.#restrictionReports]
    const restrictedUntil = await this.openSession().restrictedUntil()
    // A report that came while the network was being asked is newer than the answer.
    if (this.#current === attempt && this.#restrictionReports === reports)
      await this.#applyRestriction(restrictedUntil)
  }

  /** Reads the settings again. Connects again if they need it, also before the planned time of the next attempt. */
  async applySettings(): Promise<void> {
    const [before, after] = [this.#options, await this.#parts.recorder.sessionOptions()]
    if (this.#isEnded || this.#state === 'idle' || !before || this.#options !== before) return
    if (needsReconnect(before, after, this.#state === 'pairing')) return this.start()
    this.#options = after
    if (this.isOpen() && before.alwaysOnline !== after.alwaysOnline)
      await this.openSession().showOnline(after.alwaysOnline === true)
  }

  /** Ends the login at the network if the session is open, and closes. Never rejects. */
  async logOut(): Promise<void> {
    this.#isEnded = true
    await this.#drop(this.#state === 'open' ? (session) => session.logOut() : undefined)
    await this.#lastSave
  }

  /** Closes the connection, does not reconnect, and keeps the login. */
  async stop(): Promise<void> {
    this.#isEnded = true
    await this.#drop()
    await this.#lastSave
    await this.#parts.recorder.allWritten()
  }

  /** Waits until `read` returns a value; null as soon as the session is open, idle or in the passkey step: then there will be none. */
  #waitWhilePairing<T>(read: () => T | undefined, waitMs: number): Promise<T | null | undefined> {
    const isOver = () => this.#state === 'open' || this.#state === 'idle' || this.passkey.step() !== undefined
    return this.#condition.waitFor(() => (isOver() ? null : read()), waitMs)
  }

  #beginAttempt(): void {
    const settled = Promise.resolve()
    const attempt: Attempt = { session: undefined, releaseSlot: () => undefined, settled }
    this.#current = attempt
    this.#state = 'connecting'
    attempt.settled = this.#connect(attempt, this.#allClosed)
  }

  async #connect(attempt: Attempt, earlierClosed: Promise<unknown>): Promise<void> {
    const { network, recorder, acquireSlot } = this.#parts
    await earlierClosed
    await this.#loginDestroyed
    if (this.#current === attempt) attempt.releaseSlot = await acquireSlot()
    if (this.#current !== attempt) return attempt.releaseSlot()
    this.#timer = this.#timers.setTimeout(() => {
      recorder.log('session: connection neither opened nor showed a QR code in time; reconnecting')
      void this.#closed(attempt, LOST)
    }, CONNECT_MS)
    const connected = Promise.withResolvers<void>()
    connected.promise.catch(() => undefined)
    try {
      const options = await recorder.sessionOptions()
      this.#options = options
      attempt.session = await network.connect({
        ...options,
        credentials: await recorder.credentials(),
        findSent: recorder.findSent,
        findOriginals: recorder.findOriginals,
        guard: recorder.guard,
        // Events that come before connect() has returned wait for the session.
        onEvent: (event) => connected.promise.then(() => this.#handle(attempt, event)),
      })
      connected.resolve()
    } catch (error) {
      connected.reject(error)
      recorder.log(`session: connecting failed; reconnecting: ${String(error)}`)
      void this.#closed(attempt, LOST)
    }
  }

  async #handle(attempt: Attempt, event: NetworkEvent): Promise<void> {
    const isCurrent = this.#current === attempt
    switch (event.kind) {
      case 'qr':
        if (!isCurrent) return undefined
        this.#finishHandshake(attempt, 'pairing')
        this.#qr = { code: event.code, expiresAt: event.expiresAt }
        return this.#recordState({ event: 'code_shown', qr: this.#qr })
      case 'pairing_code':
        return isCurrent ? reportPairingCode(this.#parts.recorder, this.#lastSave, event.code) : undefined
      case 'passkey':
        return isCurrent && attempt.session ? this.#passkeyDemanded(attempt, event) : undefined
      case 'opened':
        return isCurrent ? this.#opened(attempt, event.account) : undefined
      case 'restriction':
        if (!isCurrent || !this.isOpen()) return undefined
        this.#restrictionReports += 1
        return this.#applyRestriction(event.restrictedUntil)
      case 'closed':
        return this.#closed(attempt, event)
      default:
        // Facts about messages and people hold for every connection, also an earlier one.
        return this.#parts.recorder.record(event, () => this.#sessionOf(attempt))
    }
  }

  #sessionOf(attempt: Attempt): NetworkSession | undefined {
    return this.#current === attempt ? attempt.session : undefined
  }

  #finishHandshake(attempt: Attempt, state: 'pairing' | 'open'): void {
    attempt.releaseSlot()
    this.#timers.clearTimeout(this.#timer)
    this.#state = state
  }

  #passkeyDemanded(attempt: Attempt, event: NetworkEvent & { kind: 'passkey' }): Promise<void> {
    const { kind: _, ...step } = event
    this.#finishHandshake(attempt, 'pairing')
    this.#qr = undefined
    this.passkey.advance(step, attempt.session as NetworkSession)
    return this.#recordState({ event: PASSKEY_STATES[step.step], until: step.expiresAt, passkey: step })
  }

  #opened(attempt: Attempt, account: OwnAccount): Promise<void> {
    const { recorder, clock, states } = this.#parts
    this.#finishHandshake(attempt, 'open')
    this.#qr = undefined
    this.#openedAt = clock()
    const saved = this.#recordState({ event: 'opened', account })
    void states.whenSaved().then((isSaved) => {
      if (!isSaved || this.#current !== attempt || !this.isOpen()) return
      const caughtUp = recorder.afterOpening(this.openSession(), () => this.#sessionOf(attempt))
      void orLog(recorder, caughtUp, 'catching up after opening failed; it is repeated next time')
      // The stored restriction ended with the last connection; at the network it may still apply.
      void orLog(recorder, this.refreshRestriction(), 'could not read the restriction; sending without it')
    })
    return saved
  }

  #applyRestriction(restrictedUntil: number | null): Promise<void> | undefined {
    const wasRestricted = this.#restrictionTimer !== undefined
    this.#timers.clearTimeout(this.#restrictionTimer)
    this.#restrictionTimer = undefined
    if (restrictedUntil === null)
      return wasRestricted ? this.#recordState({ event: 'unrestricted' }) : undefined
    this.#restrictionTimer = this.#timers.setTimeout(
      () => {
        // The network may have extended it. If it does not answer, the end that it gave applies.
        void this.refreshRestriction().catch(() => this.#applyRestriction(null))
      },
      timerMs(restrictedUntil, this.#parts.clock()),
    )
    return this.#recordState({ event: 'restricted', until: restrictedUntil })
  }

  #closed(attempt: Attempt, closed: Pick<Closed, 'cause' | 'until' | 'reason'>): Promise<void> | undefined {
    if (this.#current !== attempt) return undefined
    const { clock, random, states } = this.#parts
    const openMs = this.#state === 'open' ? clock() - this.#openedAt : 0
    const isLinked = closed.cause === 'restart' && this.#state === 'pairing'
    const news = this.passkey.end(isLinked ? 'linked' : (closed.reason ?? 'lost'))
    void this.#drop()
    if (isLinked) {
      const saved = this.#recordState({ event: 'started', ...news })
      this.#beginAttempt()
      return saved
    }
    const moment = { now: clock(), random: random() }
    const outcome = afterClose(closed, setbacksAfter(this.#setbacks, openMs), moment)
    const { event, until, retryInMs, clearsLogin } = outcome
    this.#setbacks = outcome.setbacks
    if (retryInMs !== null) this.#wait(moment.now + retryInMs)
    const saved = this.#recordState({ event, until, ...news, ...(clearsLogin ? { clearsLogin } : {}) })
    if (clearsLogin) this.#loginDestroyed = states.whenSaved()
    return saved
  }

  #wait(untilMs: number): void {
    this.#state = 'waiting'
    this.#timer = this.#timers.setTimeout(
      () => {
        if (this.#parts.clock() < untilMs) return this.#wait(untilMs)
        // After a pause in `close`, as for a ban, callers see that the instance is connecting again.
        if (this.#wanted && TRANSITIONS[this.#wanted.event].state === 'close')
          void this.#recordState({ event: 'started' })
        this.#beginAttempt()
      },
      timerMs(untilMs, this.#parts.clock()),
    )
  }

  /** Closes the current connection and becomes idle. Later events about that connection are ignored. */
  #drop(close = (session: NetworkSession) => session.close()): Promise<unknown> {
    this.#timers.clearTimeout(this.#timer)
    this.#timers.clearTimeout(this.#restrictionTimer)
    this.#restrictionTimer = undefined
    this.passkey.end('stopped')
    const attempt = this.#current
    this.#current = undefined
    this.#qr = undefined
    this.#state = 'idle'
    if (attempt) {
      attempt.releaseSlot()
      const closing = attempt.settled.then(() => attempt.session && close(attempt.session))
      const closed = orLog(this.#parts.recorder, closing, 'closing failed; the connection is abandoned')
      this.#allClosed = Promise.all([this.#allClosed, closed])
    }
    this.#condition.notify()
    return this.#allClosed
  }

  /** Saves the state unless it is the same as the last one. */
  #recordState(wanted: WantedState): Promise<void> {
    const isNews =
      wanted.qr ||
      wanted.passkey ||
      wanted.account ||
      wanted.clearsLogin ||
      !isSameState(wanted, this.#wanted)
    this.#wanted = wanted
    return isNews ? this.#save(wanted) : this.#lastSave.then(this.#condition.notify)
  }

  #save(wanted: WantedState): Promise<void> {
    this.#lastSave = this.#parts.states.recordState(wanted)
    return this.#lastSave.then(this.#condition.notify)
  }
}

const LOST = { cause: 'lost' } as const
