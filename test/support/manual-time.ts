// Time that passes only when a test moves it: a clock and timers to pass to a component. The clock of the process stays as it is,
// because other tests of the process may be waiting for it.
import type { Timer, Timers } from '../../src/kernel/async/timers.ts'

export interface ManualTime {
  timers: Timers
  now(): number
  /** The time until the next timer runs; undefined when none is set. */
  nextInMs(): number | undefined
  /** Moves the clock and runs each timer that is due by then, in order, at its own time. */
  pass(ms: number): void
  /** As `pass`, and after each timer waits for the work that it has started. */
  advance(ms: number): Promise<void>
}

interface Pending extends Timer {
  dueAt: number
  run(): void
  everyMs: number | undefined
}

export function manualTime(startMs = 0): ManualTime {
  let now = startMs
  const pending = new Set<Pending>()
  const set = (run: () => void, ms: number, everyMs?: number): Timer => {
    const timer: Pending = { dueAt: now + ms, run, everyMs, unref: () => undefined }
    pending.add(timer)
    return timer
  }
  const clear = (timer: Timer | undefined) => void pending.delete(timer as Pending)
  const nextUntil = (end: number): Pending | undefined =>
    [...pending].filter(({ dueAt }) => dueAt <= end).sort((a, b) => a.dueAt - b.dueAt)[0]
  const run = (timer: Pending): void => {
    now = timer.dueAt
    if (timer.everyMs === undefined) pending.delete(timer)
    else timer.dueAt += timer.everyMs
    timer.run()
  }
  return {
    timers: {
      setTimeout: (run, ms) => set(run, ms),
      clearTimeout: clear,
      setInterval: (run, ms) => set(run, ms, ms),
      clearInterval: clear,
    },
    now: () => now,
    nextInMs() {
      const next = nextUntil(Infinity)
      return next && next.dueAt - now
    },
    pass(ms) {
      const end = now + ms
      for (let timer = nextUntil(end); timer; timer = nextUntil(end)) run(timer)
      now = end
    },
    async advance(ms) {
      const end = now + ms
      for (let timer = nextUntil(end); timer; timer = nextUntil(end)) {
        run(timer)
        await promisesSettled()
      }
      now = end
      await promisesSettled()
    },
  }
}

/**
 * Resolves when all work is done that waits for nothing but promises: the next macrotask runs after every microtask, those that
 * microtasks add included.
 */
export const promisesSettled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
