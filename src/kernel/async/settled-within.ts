// Waits for work, but not longer than a limit.
import { realTimers, type Timers } from './timers.ts'

/** Resolves when the work has succeeded or failed, or at the time limit. Never rejects; the work itself goes on. */
export async function settledWithin(
  work: Promise<unknown>,
  limitMs: number,
  timers: Timers = realTimers,
): Promise<void> {
  const late = Promise.withResolvers<void>()
  const timer = timers.setTimeout(late.resolve, limitMs)
  await Promise.race([work.catch(() => undefined), late.promise])
  timers.clearTimeout(timer)
}
