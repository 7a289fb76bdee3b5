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
