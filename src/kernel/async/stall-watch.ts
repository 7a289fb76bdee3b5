// Notices work that does not end.
import { type Clock, monotonicClock } from './clock.ts'
import { realTimers, type Timer, type Timers } from './timers.ts'

export interface StallWatchParts {
  limitMs: number
  /** Called once for each work that has not settled within the limit. */
  onStall(): void
  clock?: Clock
  timers?: Timers
}

/**
 * Returns a function that watches work, and does not handle its failure. It has one timer, however much work is running: a timer for
 * each would be too expensive on the path of every message.
 */
export function createStallWatch(parts: StallWatchParts): (work: Promise<unknown>) => void {
  const { limitMs, onStall, clock = monotonicClock, timers = realTimers } = parts
  /** The oldest first. */
  const running = new Set<{ startedAt: number }>()
  let timer: Timer | undefined

  function check(): void {
    timer = undefined
    for (const work of running) {
      const leftMs = work.startedAt + limitMs - clock()
      if (leftMs > 0) return schedule(leftMs)
      running.delete(work)
      onStall()
    }
  }
  function schedule(ms: number): void {
    timer = timers.setTimeout(check, ms)
    timer.unref()
  }
  return (work) => {
    const entry = { startedAt: clock() }
    running.add(entry)
    if (!timer) schedule(limitMs)
    const ended = () => void running.delete(entry)
    work.then(ended, ended)
  }
}
