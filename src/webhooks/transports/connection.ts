// The connection of one destination: opened for its first message, shared by those that follow, and opened again with a backoff.
import { onAbort } from '../../kernel/async/on-abort.ts'
import { settledWithin } from '../../kernel/async/settled-within.ts'
import type { Timers } from '../../kernel/async/timers.ts'
import { unlessAborted } from '../../kernel/async/unless-aborted.ts'
import { createSocketGuard, type SocketGuard } from '../../kernel/outbound/socket-guard.ts'
import { BrokerError, type Publisher } from './publisher.ts'

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
export type OpenConnection = (guard: SocketGuard) => Promise<Publisher>

export interface BrokerConnection {
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

export function keepConnection({ clock, timers }: { clock: () => number; timers: Timers }): BrokerConnection {
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
