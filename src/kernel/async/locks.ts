// One holder at a time, or a few: mutexes, semaphores and a serial queue.
import type { EntryName } from './entry-name.ts'
import { onAbort } from './waiting.ts'

// A mutex: one holder at a time, in the order of the calls.

export interface Mutex {
  /** Resolves when the caller holds the mutex, with the function that releases it. */
  acquire(): Promise<() => void>
  /** Runs `work` while the mutex is held. */
  runExclusive<T>(work: () => Promise<T>): Promise<T>
}

export function createMutex(): Mutex {
  let last: Promise<void> = Promise.resolve()

  async function acquire(): Promise<() => void> {
    const holder = Promise.withResolvers<void>()
    const previous = last
    last = holder.promise
    await previous
    return holder.resolve
  }

  return {
    acquire,
    async runExclusive(work) {
      const release = await acquire()
      try {
        return await work()
      } finally {
        release()
      }
    },
  }
}

// A mutex per key: work under the same key runs one at a time, in the order of the calls; other keys do not wait.

interface KeyedMutex<Key extends EntryName> {
  /** Starts the work when everything called earlier under this key has settled. A failure does not stop the next one. */
  runExclusive<T>(key: Key, work: () => Promise<T>): Promise<T>
}

export function createKeyedMutex<Key extends EntryName = EntryName>(): KeyedMutex<Key> {
  const tails = new Map<Key, Promise<unknown>>()
  return {
    async runExclusive(key, work) {
      const previous = tails.get(key)
      const running = previous ? previous.then(work) : work()
      const tail = running.catch(() => undefined)
      tails.set(key, tail)
      try {
        return await running
      } finally {
        if (tails.get(key) === tail) tails.delete(key)
      }
    },
  }
}

// A semaphore: at most `size` holders at a time; further callers wait in the order of their calls.

/** Acquires a slot; the returned function releases it. Releasing twice has no further effect. */
export function createSemaphore(size: number): () => Promise<() => void> {
  let free = size
  const waiting: (() => void)[] = []
  const release = () => {
    const next = waiting.shift()
    if (next) next()
    else free += 1
  }
  return async () => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    let isReleased = false
    return () => {
      if (!isReleased) release()
      isReleased = true
    }
  }
}

// A semaphore that is fair between keys: at most `size` holders at a time, at most `perKey` of them of one key. A free slot goes to the
// waiting key that holds the fewest, then to the one whose last turn is longest ago. So a key with a long queue delays the others by at
// most the work that is under way.

interface FairSemaphoreLimits {
  size: number
  perKey: number
}

/** Acquires a slot; the returned function releases it. Rejects with the reason of the signal if that aborts first. */
type AcquireFairly = (key: EntryName, signal?: AbortSignal) => Promise<() => void>

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

// A serial queue: runs one task at a time, in the order of the calls.

export interface SerialQueue {
  /** Starts the task when all earlier ones have settled. A failure reaches its caller only; the next task starts all the same. */
  run<T>(task: () => T | Promise<T>): Promise<T>
  /** Resolves when all tasks so far have settled. Never rejects. */
  drained(): Promise<void>
}

export function createSerialQueue(): SerialQueue {
  let last: Promise<void> = Promise.resolve()
  return {
    run(task) {
      const result = last.then(task)
      last = result.then(ignore, ignore)
      return result
    },
    drained: () => last,
  }
}

const ignore = (): void => undefined
