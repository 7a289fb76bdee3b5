// The connection of one destination: opened for its first message, shared by those that follow, and opened again with a backoff.
import type { Timers } from '../async/timers.ts'
import { unlessAborted } from '../async/unless-aborted.ts'
import { BrokerError, type Publisher } from './publisher.ts'

/** Pauses before the next connection after failures in a row. Shorter than the first pause of the retry schedule. */
const BACKOFF_MS = [0, 500, 1000, 2000, 4000]

export type OpenConnection = (signal: AbortSignal) => Promise<Publisher>

export interface BrokerConnection {
  use<T>(open: OpenConnection, signal: AbortSignal, work: (publisher: Publisher) => Promise<T>): Promise<T>
  /** Closes it permanently, also while it opens. */
  end(): void
}

export function keepConnection({ clock, timers }: { clock: () => number; timers: Timers }): BrokerConnection {
  const ended = new AbortController()
  let current: Publisher | undefined
  let opening: Promise<Publisher> | undefined
  let failures = 0
  let retryAt = 0

  function drop(publisher: Publisher | undefined): void {
    publisher?.close()
    if (current === publisher) current = undefined
  }

  async function openAgain(open: OpenConnection): Promise<Publisher> {
    await pause(timers, retryAt - clock(), ended.signal)
    try {
      const publisher = await open(ended.signal)
      failures = 0
      // The destination may have been changed meanwhile, or the gateway stops.
      if (ended.signal.aborted) publisher.close()
      else current = publisher
      return publisher
    } catch (error) {
      failures += 1
      retryAt = clock() + (BACKOFF_MS[Math.min(failures, BACKOFF_MS.length - 1)] ?? 0)
      throw error
    }
  }

  function publisherOf(open: OpenConnection): Promise<Publisher> {
    if (current?.isOpen()) return Promise.resolve(current)
    drop(current)
    opening ??= openAgain(open).finally(() => (opening = undefined))
    return opening
  }

  return {
    async use(open, signal, work) {
      const publisher = await unlessAborted(publisherOf(open), signal)
      try {
        return await unlessAborted(work(publisher), signal)
      } catch (error) {
        // What was not confirmed may still arrive: a new connection tells old confirmations from new ones.
        if (!(error instanceof BrokerError && error.isRefusal)) drop(publisher)
        throw error
      }
    },
    end() {
      ended.abort(new BrokerError('The connection was closed.', { isRefusal: false }))
      drop(current)
    },
  }
}

function pause(timers: Timers, ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0) return Promise.resolve()
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = timers.setTimeout(resolve, ms)
  return unlessAborted(promise, signal).finally(() => timers.clearTimeout(timer))
}
