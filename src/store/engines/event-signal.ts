// Tells listeners of this process when a commit has appended events. Listeners that must not miss an event poll the log as well,
// because other processes may append to it.
import type { AppendedEvents } from '../store.ts'
import type { Db } from '../tables.ts'

export interface EventSignal {
  /** Runs `listener` after each commit that appended events, until the returned function is called. */
  subscribe(listener: (appended: AppendedEvents) => void): () => void
  notify(appended?: AppendedEvents): void
}

export function createEventSignal(): EventSignal {
  const listeners = new Set<(appended: AppendedEvents) => void>()
  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    notify(appended = { areDeliveriesDue: true }) {
      for (const listener of listeners) listener(appended)
    },
  }
}

export interface AppendWatch {
  /** Marks a transaction as one that appends events. */
  mark(tx: Db): void
  /** Runs a transaction and, when it was marked, signals after its commit. */
  transaction<T>(run: (work: (tx: Db) => Promise<T>) => Promise<T>, work: (tx: Db) => Promise<T>): Promise<T>
}

export function watchAppends(signal: EventSignal): AppendWatch {
  const appending = new WeakSet<Db>()
  return {
    mark: (tx) => void appending.add(tx),
    async transaction(run, work) {
      let current: Db | undefined
      const result = await run((tx) => {
        current = tx
        return work(tx)
      })
      if (current && appending.has(current)) signal.notify()
      return result
    },
  }
}
