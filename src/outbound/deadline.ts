// One limit over a whole exchange. Idle timeouts do not do: a byte now and then would hold an exchange for ever.
import { OutboundError } from './failure.ts'

export interface Deadline {
  signal: AbortSignal
  clear(): void
}

/** Ends after `limitMs` or with the caller's own signal, whichever comes first. */
export function startDeadline(limitMs: number, stop?: AbortSignal): Deadline {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new OutboundError('timeout')), limitMs)
  const onStop = () => controller.abort(new OutboundError('stopped'))
  if (stop?.aborted) onStop()
  stop?.addEventListener('abort', onStop, { once: true })
  return {
    signal: controller.signal,
    clear() {
      clearTimeout(timer)
      stop?.removeEventListener('abort', onStop)
    },
  }
}
