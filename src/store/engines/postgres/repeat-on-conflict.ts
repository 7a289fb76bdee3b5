// Repeats a transaction that PostgreSQL aborted in favour of another one. Nothing of it was written.
import { setTimeout as pause } from 'node:timers/promises'
import { isStoreError, StoreError } from '../../../kernel/store-error.ts'

const MAX_TRIES = 6
const FIRST_PAUSE_MS = 5

export interface RepeatParts {
  random?: () => number
  wait?: (ms: number) => Promise<unknown>
}

/** `work` begins and ends its transaction. It may run several times, and must have no effect outside of it. */
export async function repeatOnConflict<T>(
  work: () => Promise<T>,
  { random = Math.random, wait = pause }: RepeatParts = {},
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isStoreError(error, 'conflict')) throw error
      if (tries === MAX_TRIES) throw new StoreError('unavailable', error.message, error)
    }
    // Jitter, because two transactions in conflict would otherwise conflict again.
    await wait(FIRST_PAUSE_MS * 2 ** tries * random())
  }
}
