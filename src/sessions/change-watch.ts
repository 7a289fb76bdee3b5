// Waiting for something that others change: a code that is shown, a connection that opens.

export interface ChangeWatch {
  /** Something may have changed: whoever waits looks again. */
  changed(): void
  /** Waits while `read` gives undefined, at most so long. */
  waitFor<T>(read: () => T | undefined, waitMs: number): Promise<T | undefined>
}

export function createChangeWatch(clock: () => number): ChangeWatch {
  let watchers: (() => void)[] = []
  return {
    changed() {
      const woken = watchers
      watchers = []
      for (const wake of woken) wake()
    },
    async waitFor(read, waitMs) {
      const deadline = clock() + waitMs
      for (let found = read(); ; found = read()) {
        const leftMs = deadline - clock()
        if (found !== undefined || leftMs <= 0) return found
        const turn = Promise.withResolvers<void>()
        watchers.push(turn.resolve)
        const late = setTimeout(turn.resolve, leftMs)
        await turn.promise
        clearTimeout(late)
      }
    },
  }
}
