// A time limit for work that has none of its own.
import { realTimers, type Timers } from './timers.ts'

/**
 * Settles as the work does, or rejects at the limit; the work itself goes on. The error is made only when the limit is reached, because
 * capturing its stack takes longer than the rest.
 */
export async function withTimeout<T>(
  work: Promise<T>,
  limitMs: number,
  timeoutError: () => Error,
  timers: Timers = realTimers,
): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = timers.setTimeout(() => late.reject(timeoutError()), limitMs)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    timers.clearTimeout(timer)
  }
}
