// Whether the process keeps up: where its event loop lags, sends are refused before they are read, so that those taken before are
// answered in time (decision 0034).
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'

/** The mean over a second. A loop that is this late answers nobody in time. */
export const LAG_LIMIT_MS = 250
/** So many seconds in a row: one long pause is over before anybody could be refused for it. */
export const LATE_LOOKS = 3
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
  let lateLooks = 0
  histogram.enable()
  const timer = setInterval(() => {
    const isLate = histogram.mean / NANOSECONDS - RESOLUTION_MS > LAG_LIMIT_MS
    lateLooks = isLate ? lateLooks + 1 : 0
    histogram.reset()
  }, everyMs)
  timer.unref()
  return {
    isTooHigh: () => lateLooks >= LATE_LOOKS,
    stop() {
      clearInterval(timer)
      histogram.disable()
    },
  }
}
