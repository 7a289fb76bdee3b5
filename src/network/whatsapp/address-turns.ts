// One step at a time with each address, over all sessions of the process.

export interface AddressTurns {
  take<T>(address: string, work: () => Promise<T>): Promise<T>
}

/**
 * libsignal has one queue per address for the whole process, and runs all that stands in it in the async context of whoever
 * came first. The library finds its transaction by that context: with two sessions that write to the same person, the second
 * one's keys would be written outside of its transaction or inside of another, that is too early, too late or never. Whoever
 * takes turns here always finds that queue empty.
 */
export function createAddressTurns(): AddressTurns {
  const last = new Map<string, Promise<unknown>>()
  return {
    async take(address, work) {
      const previous = last.get(address)
      const mine = previous ? previous.then(work, work) : work()
      const done = mine.catch(() => undefined)
      last.set(address, done)
      try {
        return await mine
      } finally {
        if (last.get(address) === done) last.delete(address)
      }
    },
  }
}
