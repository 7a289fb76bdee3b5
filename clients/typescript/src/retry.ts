// Decides whether a failed call is repeated, and when.
import type { CallFailure } from './error.ts'

const FIRST_PAUSE_SECONDS = 0.5
const LONGEST_BACKOFF_SECONDS = 8
/** What a proxy answers while the gateway does not answer. */
const PROXY_STATUSES: ReadonlySet<number> = new Set([502, 503, 504])

/**
 * Seconds until the next attempt; undefined: the failure is final.
 *
 * With 429, and with 503 and `Retry-After`, the gateway did nothing, so every call may be repeated. Without an answer only the calls
 * are repeated that are safe to make twice: those that read, and those with an idempotency key.
 */
export function pauseBeforeRetry(
  failure: CallFailure,
  attempt: number,
  isRepeatable: boolean,
  maxPauseSeconds: number,
): number | undefined {
  const { status, reason, retryAfterSeconds } = failure
  const isRefused = status === 429 || (status === 503 && retryAfterSeconds !== undefined)
  const isLost = reason === 'unreachable' || (reason === 'unreadable_answer' && PROXY_STATUSES.has(status))
  if (!isRefused && !(isLost && isRepeatable) && reason !== 'idempotency_in_flight') return undefined
  const pause = retryAfterSeconds ?? backoff(attempt)
  return pause > maxPauseSeconds ? undefined : pause
}

/** Doubles from half a second, and is spread so that clients which failed together do not return together. */
export const backoff = (attempt: number): number =>
  Math.min(LONGEST_BACKOFF_SECONDS, FIRST_PAUSE_SECONDS * 2 ** attempt) * (0.5 + Math.random() / 2)

export const sleep = (seconds: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, seconds * 1000)
    signal?.addEventListener('abort', abort, { once: true })
    if (signal?.aborted) abort()
  })
