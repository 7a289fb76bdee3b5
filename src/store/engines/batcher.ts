// Group commit: calls that arrive while a commit is running share the next one, which gives 5 to 10 times the throughput.
//
//   idle ──call──▶ scheduled (end of the tick) ──▶ committing ──▶ committing … ──▶ idle (nothing urgent waits)
//     └──low-priority call──▶ waiting (10 ms at most, or until the next urgent call) ──▶ scheduled
//
// One batch is committed at a time. A call therefore resolves only after its own commit, and calls are committed in their order.
// A call of low priority does not start a commit: it joins the next batch that an urgent call starts, or is flushed after its delay.
// When a batch fails, each of its calls is tried alone, so that one bad input does not fail the others.
import { setImmediate as nextTick } from 'node:timers/promises'
import { realTimers, type Timer, type Timers } from '../../async/timers.ts'
import type { CommitMeasure } from '../store.ts'
import { isStoreError, StoreError } from '../store-error.ts'

interface Waiting<I, O> {
  input: I
  resolve(output: O): void
  reject(error: unknown): void
}

interface BatcherOptions<I> {
  maxSize: number
  onCommit?: ((measure: CommitMeasure) => void) | undefined
  /** Inputs whose callers are not delayed by waiting: they join the next commit instead of starting one. */
  isLowPriority?: (input: I) => boolean
  timers?: Timers
}

/** The longest delay of a low-priority call: not noticeable to people, and enough for several commits of a disk. */
const FLUSH_DELAY_MS = 10

/** Turns a function over batches into one over single inputs. */
export function createBatcher<I, O>(
  commit: (inputs: I[]) => Promise<O[]>,
  { maxSize, onCommit, isLowPriority = () => false, timers = realTimers }: BatcherOptions<I>,
): (input: I) => Promise<O> {
  const waiting: Waiting<I, O>[] = []
  let isRunning = false
  let isUrgent = false
  let flushTimer: Timer | undefined

  async function commitBatch(batch: Waiting<I, O>[]): Promise<void> {
    const startedAt = performance.now()
    try {
      const outputs = await commit(batch.map((entry) => entry.input))
      for (const [index, entry] of batch.entries()) entry.resolve(outputs[index] as O)
    } catch (error) {
      // Nothing was committed. An outage of the store would fail every single call as well.
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
    timers.clearTimeout(flushTimer)
    flushTimer = undefined
    return batch
  }

  async function run(): Promise<void> {
    while (isUrgent) {
      await commitBatch(nextBatch())
      // A caller that was just answered may write again at once: its call joins the calls that wait already.
      await nextTick()
    }
    isRunning = false
  }

  function flush(): void {
    isUrgent = true
    if (isRunning) return
    isRunning = true
    // The first call of a burst waits for the end of the tick, so that the whole burst shares a commit.
    setImmediate(() => void run())
  }

  return (input) =>
    new Promise<O>((resolve, reject) => {
      waiting.push({ input, resolve, reject })
      if (isLowPriority(input)) flushTimer ??= timers.setTimeout(flush, FLUSH_DELAY_MS)
      else flush()
    })
}

/** More than the slowest disk commits in some seconds. A caller would no longer wait for the answer to a call beyond that. */
const MAX_WAITING = 5000

/** Sheds load: a call that would wait too long for its commit is refused at once. */
export function limitWaiting<I, O>(
  write: (input: I) => Promise<O>,
  maxWaiting = MAX_WAITING,
): (input: I) => Promise<O> {
  let waiting = 0
  return async (input) => {
    if (waiting >= maxWaiting) throw new StoreError('unavailable', 'too many writes are waiting for the disk')
    waiting += 1
    try {
      return await write(input)
    } finally {
      waiting -= 1
    }
  }
}
