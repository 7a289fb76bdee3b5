// A time limit on a whole exchange. An idle timeout is not enough: a host that sends a byte now and then would never hit it.
import { onAbort } from '../async/on-abort.ts'
import { realTimers } from '../async/timers.ts'
import { OutboundError } from './failure.ts'

export interface Deadline {
  signal: AbortSignal
  clear(): void
}

/** Aborts after `limitMs` or when `stop` aborts, whichever comes first. */
export function startDeadline(limitMs: number, stop?: AbortSignal, timers = realTimers): Deadline {
  const controller = new AbortController()
  const timer = timers.setTimeout(() => controller.abort(new OutboundError('timeout')), limitMs)
  const removeListener = stop && onAbort(stop, () => controller.abort(new OutboundError('stopped')))
  return {
    signal: controller.signal,
    clear() {
      timers.clearTimeout(timer)
      removeListener?.()
    },
  }
}
