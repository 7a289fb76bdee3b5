// Group commit: calls that arrive while a commit is under way share the next one (5 to 10 times the throughput).
import { setImmediate as nextTurn } from 'node:timers/promises'
import { isStoreError, StoreError } from './store-error.ts'

export interface CommitMeasure {
  durationMs: number
  size: number
}

interface Waiting<I, O> {
  input: I
  resolve(output: O): void
  reject(error: unknown): void
}

interface BatcherOptions<I> {
  maxSize: number
  onCommit?: ((measure: CommitMeasure) => void) | undefined
  /** What nobody waits for: it goes with the next input that somebody does wait for, or by itself after a moment. */
  isPatient?: (input: I) => boolean
}

/** What is patient waits no longer than this: unnoticed by people, and enough for several commits of a disk. */
const PATIENCE_MS = 10

/**
 * Turns a function over batches into one over single inputs. One batch is in flight at a time, so the outcome of a call is
 * committed when its promise resolves, and inputs are committed in the order of the calls.
 */
export function createBatcher<I, O>(
  commit: (inputs: I[]) => Promise<O[]>,
  { maxSize, onCommit, isPatient = () => false }: BatcherOptions<I>,
): (input: I) => Promise<O> {
  const waiting: Waiting<I, O>[] = []
  let running = false
  let isUrgent = false
  let patience: NodeJS.Timeout | undefined

  async function commitBatch(batch: Waiting<I, O>[]): Promise<void> {
    const startedAt = performance.now()
    try {
      const outputs = await commit(batch.map((entry) => entry.input))
      for (const [index, entry] of batch.entries()) entry.resolve(outputs[index] as O)
    } catch (error) {
      // One input that cannot be written must not fail those that share its commit: nothing was committed, so each is
      // tried by itself. Trouble of the store itself would only meet every one of them again.
      if (batch.length > 1 && !isStoreError(error, 'unavailable')) {
        for (const entry of batch) await commitBatch([entry])
        return
      }
      for (const entry of batch) entry.reject(error)
    }
    onCommit?.({ durationMs: performance.now() - startedAt, size: batch.length })
  }

  function nextBatch(): Waiting<I, O>[] {
    const batch = waiting.splice(0, maxSize)
    isUrgent = waiting.length > 0
    clearTimeout(patience)
    patience = undefined
    return batch
  }

  async function run(): Promise<void> {
    while (isUrgent) {
      await commitBatch(nextBatch())
      // Whoever was told just now may have the next thing to write: it goes with those that wait already.
      await nextTurn()
    }
    running = false
  }

  function hurry(): void {
    isUrgent = true
    if (running) return
    running = true
    // The first of a burst waits for the end of the tick, so that the burst goes together.
    setImmediate(() => void run())
  }

  return (input) =>
    new Promise<O>((resolve, reject) => {
      waiting.push({ input, resolve, reject })
      if (isPatient(input)) patience ??= setTimeout(hurry, PATIENCE_MS)
      else hurry()
    })
}

/** More than the slowest disk commits in some seconds: what comes on top would be answered when nobody waits for it any more. */
const MAX_WAITING = 5000

/** Refuses at once what would have to wait too long for its commit. */
export function limitWaiting<I, O>(
  write: (input: I) => Promise<O>,
  maxWaiting = MAX_WAITING,
): (input: I) => Promise<O> {
  let waiting = 0
  return async (input) => {
    if (waiting >= maxWaiting) throw new StoreError('unavailable', 'too many writes wait for the disk')
    waiting += 1
    try {
      return await write(input)
    } finally {
      waiting -= 1
    }
  }
}
