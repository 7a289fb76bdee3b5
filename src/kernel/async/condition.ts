// A condition variable: waits until a value is available that other code provides, such as a QR code or an open connection.
import { realTimers, type Timers } from './timers.ts'

export interface Condition {
  /** The value may have changed: every waiter reads it again. */
  notify(): void
  /** Waits while `read` returns undefined; returns undefined after `waitMs`. */
  waitFor<T>(read: () => T | undefined, waitMs: number): Promise<T | undefined>
}

export function createCondition(clock: () => number, timers: Timers = realTimers): Condition {
  let waiters: (() => void)[] = []
  return {
    notify() {
      const woken = waiters
      waiters = []
      for (const wake of woken) wake()
    },
    async waitFor(read, waitMs) {
      const deadline = clock() + waitMs
      for (let found = read(); ; found = read()) {
        const leftMs = deadline - clock()
        if (found !== undefined || leftMs <= 0) return found
        const woken = Promise.withResolvers<void>()
        waiters.push(woken.resolve)
        const timer = timers.setTimeout(woken.resolve, leftMs)
        await woken.promise
        timers.clearTimeout(timer)
      }
    },
  }
}
