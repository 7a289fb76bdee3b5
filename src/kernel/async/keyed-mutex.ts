// A mutex per key: work under the same key runs one at a time, in the order of the calls; other keys do not wait.
import type { EntryName } from './entry-name.ts'

export interface KeyedMutex<Key extends EntryName> {
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
