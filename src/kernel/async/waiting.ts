// Waiting with an end: time limits, abort signals, and a value that other code provides.
import { realTimers, type Timers } from './timers.ts'

// A time limit for work that has none of its own.

/**
 * Settles as the work does, or rejects at the limit; the work itself goes on. The error is made only when the limit is reached, because
 * capturing its stack takes longer than the rest.
 */
export async function withTimeout<T>(
  work: Promise<T>,
  limitMs: number,
  timeoutError: () => Error,
  timers: Timers = realTimers,
): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = timers.setTimeout(() => late.reject(timeoutError()), limitMs)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    timers.clearTimeout(timer)
  }
}

// Waits for work, but not longer than a limit.

/** Resolves when the work has succeeded or failed, or at the time limit. Never rejects; the work itself goes on. */
export async function settledWithin(
  work: Promise<unknown>,
  limitMs: number,
  timers: Timers = realTimers,
): Promise<void> {
  const late = Promise.withResolvers<void>()
  const timer = timers.setTimeout(late.resolve, limitMs)
  await Promise.race([work.catch(() => undefined), late.promise])
  timers.clearTimeout(timer)
}

// Waits for work until a signal is aborted.

/** Settles as the work does, or rejects with the error when the signal is aborted first. The work itself goes on: others may wait for it. */
export async function unlessAborted<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  abortError: () => unknown = () => signal?.reason,
): Promise<T> {
  if (!signal) return work
  const aborted = Promise.withResolvers<never>()
  const forget = onAbort(signal, () => aborted.reject(abortError()))
  try {
    return await Promise.race([work, aborted.promise])
  } finally {
    forget()
  }
}

// Listens to an abort signal that outlives its listeners: one platform listener per signal, with a set of functions behind it.

const listenersOf = new WeakMap<AbortSignal, Set<() => void>>()

/**
 * Runs `listener` when the signal is aborted, or at once if it is aborted already. Returns a function that removes the listener.
 *
 * `addEventListener` keeps its listeners in a linked list, and a removed listener keeps its link to the next. On a signal that
 * lives as long as the process, these links form a chain through all earlier requests. Once one listener is in the old
 * generation, the garbage collector treats all later ones as reachable and moves them, with everything they hold, to the old
 * generation too, where only a full collection frees them.
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) {
    listener()
    return () => undefined
  }
  const listeners = listenersOf.get(signal) ?? listenTo(signal)
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

function listenTo(signal: AbortSignal): Set<() => void> {
  const listeners = new Set<() => void>()
  listenersOf.set(signal, listeners)
  signal.addEventListener('abort', () => runAll(listeners), { once: true })
  return listeners
}

function runAll(listeners: Set<() => void>): void {
  for (const listener of listeners) listener()
  listeners.clear()
}

// A condition variable: waits until a value is available that other code provides, such as a QR code or an open connection.

export interface Condition {
  /** The value may have changed: every waiter reads it again. */
  notify(): void
  /** Waits while `read` returns undefined; returns undefined after `waitMs`. */
  waitFor<T>(read: () => T | undefined, waitMs: number): Promise<T | undefined>
}

export function createCondition(clock: () => number, timers: Timers = realTimers): Condition {
  let waiters: (() => void)[] = []
  return {
    notify() {
      const woken = waiters
      waiters = []
      for (const wake of woken) wake()
    },
    async waitFor(read, waitMs) {
      const deadline = clock() + waitMs
      for (let found = read(); ; found = read()) {
        const leftMs = deadline - clock()
        if (found !== undefined || leftMs <= 0) return found
        const woken = Promise.withResolvers<void>()
        waiters.push(woken.resolve)
        const timer = timers.setTimeout(woken.resolve, leftMs)
        await woken.promise
        timers.clearTimeout(timer)
      }
    },
  }
}
