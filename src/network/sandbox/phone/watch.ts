/** Waiting for news: long polls wait here until something happened or their time is up. */

export type Watch = {
  ring(): void
  /** Resolves at the next ring, or when the time is up. */
  wait(timeoutMs: number): Promise<void>
}

export function createWatch(): Watch {
  const waiting = new Set<() => void>()
  return {
    ring() {
      for (const wake of waiting) wake()
    },
    wait(timeoutMs) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, timeoutMs)
      waiting.add(resolve)
      return promise.finally(() => {
        clearTimeout(timer)
        waiting.delete(resolve)
      })
    },
  }
}

/** Asks again and again until there is an answer with something in it, for at most that long. */
export async function waitFor<T>(watch: Watch, waitMs: number, ask: () => T[]): Promise<T[]> {
  const deadline = Date.now() + waitMs
  let found = ask()
  while (found.length === 0 && Date.now() < deadline) {
    await watch.wait(deadline - Date.now())
    found = ask()
  }
  return found
}
