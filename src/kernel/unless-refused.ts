// Retries what the store refuses, and gives it up after a few tries: data that a database does not take, it never takes.
import { setTimeout as pause } from 'node:timers/promises'
import { isStoreError } from './store-error.ts'

export const RETRY_PAUSES_MS = [100, 1000]

/** Other errors, such as an outage, are passed on at once. */
export async function unlessRefused(
  work: () => Promise<void>,
  giveUp: (error: unknown) => Promise<void>,
  pauseFor: (ms: number) => Promise<unknown> = pause,
): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isStoreError(error, 'refused')) throw error
      const pauseMs = RETRY_PAUSES_MS[tries]
      if (pauseMs === undefined) return giveUp(error)
      await pauseFor(pauseMs)
    }
  }
}
