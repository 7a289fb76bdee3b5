// Whether the process keeps up: where its event loop lags, sends are refused before they are read, so that those taken before are
// answered in time (decision 0034).
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'

/** The mean over a second. A loop that is this late answers nobody in time; a moment's pause does not come near it. */
export const LAG_LIMIT_MS = 250
const LOOK_MS = 1000
const RESOLUTION_MS = 20
const NANOSECONDS = 1e6

export interface Pressure {
  isTooHigh(): boolean
  stop(): void
}

/** The histogram measures whole intervals of the timer it uses: what is over that is lag. */
export function createPressure(
  histogram: Pick<IntervalHistogram, 'mean' | 'reset' | 'enable' | 'disable'> = monitorEventLoopDelay({
    resolution: RESOLUTION_MS,
  }),
  everyMs = LOOK_MS,
): Pressure {
  let isTooHigh = false
  histogram.enable()
  const timer = setInterval(() => {
    isTooHigh = histogram.mean / NANOSECONDS - RESOLUTION_MS > LAG_LIMIT_MS
    histogram.reset()
  }, everyMs)
  timer.unref()
  return {
    isTooHigh: () => isTooHigh,
    stop() {
      clearInterval(timer)
      histogram.disable()
    },
  }
}
