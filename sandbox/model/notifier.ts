// A notifier wakes long polls when something has changed.

export interface Notifier {
  notify(): void
  /** Resolves at the next notification or after the timeout. */
  wait(timeoutMs: number): Promise<void>
}

export function createNotifier(): Notifier {
  const waiting = new Set<() => void>()
  return {
    notify() {
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

/** Calls `ask` after each notification until it returns something, for at most `waitMs`. */
export async function waitFor<T>(notifier: Notifier, waitMs: number, ask: () => T[]): Promise<T[]> {
  const deadline = Date.now() + waitMs
  let found = ask()
  while (found.length === 0 && Date.now() < deadline) {
    await notifier.wait(deadline - Date.now())
    found = ask()
  }
  return found
}
