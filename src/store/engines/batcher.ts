// Group commit: calls that arrive while a commit is running share the next one, which gives 5 to 10 times the throughput.
//
//   idle ──call──▶ scheduled (end of the tick) ──▶ committing ──▶ committing … ──▶ idle (nothing urgent waits)
//     └──call that may wait──▶ waiting (until its delay is over, or the next urgent call) ──▶ scheduled
//
// One batch is committed at a time. A call therefore resolves only after its own commit, and calls are committed in their order.
// A call that may wait does not start a commit: it joins the next batch that an urgent call starts, or is flushed after its delay.
// When a batch fails, each of its calls is tried alone, so that one bad input does not fail the others.
import { setImmediate as nextTick } from 'node:timers/promises'
import { realTimers, type Timer, type Timers } from '../../kernel/async/timers.ts'
import { isStoreError, StoreError } from '../../kernel/store-error.ts'
import type { CommitMeasure } from '../store.ts'

interface Waiting<I, O> {
  input: I
  resolve(output: O): void
  reject(error: unknown): void
}

interface BatcherOptions<I> {
  maxSize: number
  onCommit?: ((measure: CommitMeasure) => void) | undefined
  /** How long an input may wait for the commit of another one; 0: it starts one. */
  delayMs?: (input: I) => number
  timers?: Timers
}

/** Turns a function over batches into one over single inputs. */
export function createBatcher<I, O>(
  commit: (inputs: I[]) => Promise<O[]>,
  { maxSize, onCommit, delayMs = () => 0, timers = realTimers }: BatcherOptions<I>,
): (input: I) => Promise<O> {
  const waiting: Waiting<I, O>[] = []
  let isRunning = false
  let isUrgent = false
  /** By delay. */
  const flushTimers = new Map<number, Timer>()

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
    for (const timer of flushTimers.values()) timers.clearTimeout(timer)
    flushTimers.clear()
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

  function flushIn(delay: number): void {
    if (!flushTimers.has(delay)) flushTimers.set(delay, timers.setTimeout(flush, delay))
  }

  return (input) =>
    new Promise<O>((resolve, reject) => {
      waiting.push({ input, resolve, reject })
      const delay = delayMs(input)
      if (delay > 0) flushIn(delay)
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
