// Monitors the lag of the event loop. While it is too high, the server sheds sends, so that requests already accepted are
// answered in time (decision 0034).
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import { realTimers, type Timers } from '../async/timers.ts'

/** The mean over one second. */
export const LAG_LIMIT_MS = 250
/** Seconds in a row with too much lag: a single long pause must not cause refusals. */
export const LATE_CHECKS = 3
const CHECK_MS = 1000
/** Each sample wakes the process, also an idle one. */
export const RESOLUTION_MS = 100
const NANOSECONDS = 1e6

export interface LagMonitor {
  isLagging(): boolean
  stop(): void
}

/** The histogram measures whole timer intervals: what exceeds the resolution is lag. */
export function createLagMonitor(
  histogram: Pick<IntervalHistogram, 'mean' | 'reset' | 'enable' | 'disable'> = monitorEventLoopDelay({
    resolution: RESOLUTION_MS,
  }),
  timers: Timers = realTimers,
): LagMonitor {
  let lateChecks = 0
  histogram.enable()
  const timer = timers.setInterval(() => {
    const isLate = histogram.mean / NANOSECONDS - RESOLUTION_MS > LAG_LIMIT_MS
    lateChecks = isLate ? lateChecks + 1 : 0
    histogram.reset()
  }, CHECK_MS)
  timer.unref()
  return {
    isLagging: () => lateChecks >= LATE_CHECKS,
    stop() {
      timers.clearInterval(timer)
      histogram.disable()
    },
  }
}
