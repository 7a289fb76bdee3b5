// A semaphore that is fair between keys: at most `size` holders at a time, at most `perKey` of them of one key. A free slot goes to the
// waiting key that holds the fewest, then to the one whose last turn is longest ago. So a key with a long queue delays the others by at
// most the work that is under way.
import type { EntryName } from './entry-name.ts'
import { onAbort } from './on-abort.ts'

export interface FairSemaphoreLimits {
  size: number
  perKey: number
}

/** Acquires a slot; the returned function releases it. Rejects with the reason of the signal if that aborts first. */
export type AcquireFairly = (key: EntryName, signal?: AbortSignal) => Promise<() => void>

interface KeyState {
  held: number
  /** When the key last got a slot; 0: it has not got one since it came. */
  lastTurn: number
  /** In the order of the calls. */
  waiting: Set<() => void>
}

export function createFairSemaphore({ size, perKey }: FairSemaphoreLimits): AcquireFairly {
  let free = size
  let turns = 0
  const keys = new Map<EntryName, KeyState>()

  function grant(): void {
    while (free > 0) {
      const [next] = [...keys.values()]
        .filter(({ waiting, held }) => waiting.size > 0 && held < perKey)
        .sort((a, b) => a.held - b.held || a.lastTurn - b.lastTurn)
      const [first] = next?.waiting ?? []
      if (!next || !first) return
      next.waiting.delete(first)
      next.held += 1
      next.lastTurn = turns += 1
      free -= 1
      first()
    }
  }
  function forgetUnused(key: EntryName, state: KeyState): void {
    if (state.held === 0 && state.waiting.size === 0) keys.delete(key)
  }
  function release(key: EntryName, state: KeyState): void {
    free += 1
    state.held -= 1
    forgetUnused(key, state)
    grant()
  }
  return async (key, signal) => {
    signal?.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const state = keys.get(key) ?? { held: 0, lastTurn: 0, waiting: new Set() }
    keys.set(key, state)
    state.waiting.add(resolve)
    const forget = signal
      ? onAbort(signal, () => {
          state.waiting.delete(resolve)
          forgetUnused(key, state)
          reject(signal.reason)
        })
      : () => undefined
    grant()
    await promise.finally(forget)
    let isReleased = false
    return () => {
      if (!isReleased) release(key, state)
      isReleased = true
    }
  }
}
