// Group commit without an engine: which calls share a commit, in which order, and which of them a failure affects.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as endOfTick } from 'node:timers/promises'
import { manualTime } from '../../../test/support/manual-time.ts'
import { isStoreError, StoreError } from '../../kernel/store-error.ts'
import type { CommitMeasure } from '../store.ts'
import { createBatcher, limitWaiting } from './batcher.ts'

test('calls made during a commit share the next one, in their order', async () => {
  const batches: number[][] = []
  const gate = Promise.withResolvers<void>()
  const put = createBatcher<number, number>(
    async (inputs) => {
      batches.push(inputs)
      if (batches.length === 1) await gate.promise
      return inputs.map((input) => input * 10)
    },
    { maxSize: 100 },
  )
  const first = [put(1), put(2)]
  await endOfTick()
  const later = [put(3), put(4), put(5)]
  gate.resolve()
  assert.deepEqual(await Promise.all([...first, ...later]), [10, 20, 30, 40, 50])
  assert.deepEqual(batches, [
    [1, 2],
    [3, 4, 5],
  ])
})

test('a batch is never larger than its maximum, and each commit is measured', async () => {
  const measured: CommitMeasure[] = []
  const put = createBatcher<number, number>(async (inputs) => inputs, {
    maxSize: 4,
    onCommit: (measure) => void measured.push(measure),
  })
  await Promise.all([1, 2, 3, 4, 5, 6].map(put))
  assert.deepEqual(
    measured.map(({ size }) => size),
    [4, 2],
  )
})

test('a bad input fails alone, and the others are committed in their order', async () => {
  const committed: number[] = []
  const put = createBatcher<number, number>(
    async (inputs) => {
      if (inputs.includes(3)) throw new StoreError('unique', 'duplicate')
      committed.push(...inputs)
      return inputs
    },
    { maxSize: 100 },
  )
  const outcomes = await Promise.allSettled([1, 2, 3, 4].map(put))
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
  )
  assert.deepEqual(committed, [1, 2, 4])
})

test('an unavailable store fails its batch after one try, and the next batch is tried again', async () => {
  let calls = 0
  const put = createBatcher<number, number>(
    async (inputs) => {
      calls += 1
      if (calls === 1) throw new StoreError('unavailable', 'no connection')
      return inputs
    },
    { maxSize: 100 },
  )
  const outcomes = await Promise.allSettled([1, 2, 3].map(put))
  assert.ok(outcomes.every(({ status }) => status === 'rejected'))
  assert.equal(calls, 1)
  assert.equal(await put(4), 4)
})

describe('calls that may wait', () => {
  /** Odd numbers may wait ten times as many milliseconds. */
  function start(commit = async (inputs: number[]) => inputs) {
    const batches: number[][] = []
    const time = manualTime()
    const put = createBatcher<number, number>(
      (inputs) => {
        batches.push(inputs)
        return commit(inputs)
      },
      { maxSize: 4, delayMs: (input) => (input % 2 === 1 ? input * 10 : 0), timers: time.timers },
    )
    return { put, batches, time }
  }

  test('they join the commit of the next urgent call, in the order of the calls', async () => {
    const { put, batches, time } = start()
    const calls = [put(1), put(3)]
    await endOfTick()
    assert.deepEqual(batches, [])
    await Promise.all([...calls, put(2)])
    assert.deepEqual(batches, [[1, 3, 2]])
    assert.equal(time.nextInMs(), undefined, 'no flush is scheduled any more')
  })

  test('they are flushed after 10 ms, and later calls get a new delay', async () => {
    const { put, batches, time } = start()
    const first = [put(1), put(3)]
    time.pass(9)
    await endOfTick()
    assert.deepEqual(batches, [])
    time.pass(1)
    await Promise.all(first)
    const second = put(5)
    await endOfTick()
    assert.deepEqual(batches, [[1, 3]])
    time.pass(50)
    await second
    assert.deepEqual(batches, [[1, 3], [5]])
  })

  test('the shortest delay of those that wait counts', async () => {
    const { put, batches, time } = start()
    const calls = [put(5), put(1)]
    time.pass(10)
    await Promise.all(calls)
    assert.deepEqual(batches, [[5, 1]])
    assert.equal(time.nextInMs(), undefined, 'no flush is scheduled any more')
  })

  test('they follow a running commit when their delay ends during it', async () => {
    const gate = Promise.withResolvers<void>()
    const { put, batches, time } = start(async (inputs) => {
      if (inputs.includes(2)) await gate.promise
      return inputs
    })
    const urgent = put(2)
    await endOfTick()
    const low = put(1)
    time.pass(10)
    gate.resolve()
    await Promise.all([urgent, low])
    assert.deepEqual(batches, [[2], [1]])
  })

  test('one that does not fit into a batch is committed with the next', async () => {
    const { put, batches } = start()
    await Promise.all([2, 4, 6, 8, 1].map(put))
    assert.deepEqual(batches, [[2, 4, 6, 8], [1]])
  })
})

test('a call that would wait too long is refused at once, and calls that wait already are not', async () => {
  const disk = Promise.withResolvers<void>()
  const write = limitWaiting(async (input: number) => {
    await disk.promise
    return input
  }, 3)
  const waiting = [1, 2, 3].map((input) => write(input))
  await assert.rejects(write(4), (error) => isStoreError(error, 'unavailable'))
  disk.resolve()
  assert.deepEqual(await Promise.all(waiting), [1, 2, 3])
  assert.equal(await write(5), 5)
})
