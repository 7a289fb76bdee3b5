// Group commit apart from any engine: who shares a commit, in which order, and who pays for a failure.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { type CommitMeasure, createBatcher, limitWaiting } from './batcher.ts'
import { isStoreError, StoreError } from './store-error.ts'

/** Longer than anything that does not wait takes. */
async function turns(): Promise<void> {
  for (let count = 0; count < 5; count += 1) await turn()
}

test('calls made during a commit share the next, in their order', async () => {
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
  await new Promise(setImmediate)
  const later = [put(3), put(4), put(5)]
  gate.resolve()
  assert.deepEqual(await Promise.all([...first, ...later]), [10, 20, 30, 40, 50])
  assert.deepEqual(batches, [
    [1, 2],
    [3, 4, 5],
  ])
})

test('a batch is never larger than allowed, and each commit is measured', async () => {
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

test('a bad input fails alone, the others are committed in their order', async () => {
  const committed: number[] = []
  const put = createBatcher<number, number>(
    async (inputs) => {
      if (inputs.includes(3)) throw new StoreError('unique', 'three')
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

test('a store that is away is asked once per batch, and the next batch finds it back', async () => {
  let calls = 0
  const put = createBatcher<number, number>(
    async (inputs) => {
      calls += 1
      if (calls === 1) throw new StoreError('unavailable', 'away')
      return inputs
    },
    { maxSize: 100 },
  )
  const outcomes = await Promise.allSettled([1, 2, 3].map(put))
  assert.ok(outcomes.every(({ status }) => status === 'rejected'))
  assert.equal(calls, 1)
  assert.equal(await put(4), 4)
})

describe('what nobody waits for', () => {
  /** Odd numbers are patient. */
  function start(commit = async (inputs: number[]) => inputs) {
    const batches: number[][] = []
    const put = createBatcher<number, number>(
      (inputs) => {
        batches.push(inputs)
        return commit(inputs)
      },
      { maxSize: 4, isPatient: (input) => input % 2 === 1 },
    )
    return { put, batches }
  }

  test('goes with the next input that somebody waits for, in the order of the calls', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const { put, batches } = start()
    const all = [put(1), put(3)]
    await turns()
    assert.deepEqual(batches, [])
    await Promise.all([...all, put(2)])
    // Their own moment ends with nothing left to do.
    t.mock.timers.tick(10)
    await turns()
    assert.deepEqual(batches, [[1, 3, 2]])
  })

  test('goes by itself after a moment, and that moment begins anew for what comes later', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const { put, batches } = start()
    const first = put(1)
    t.mock.timers.tick(9)
    await turns()
    assert.deepEqual(batches, [])
    t.mock.timers.tick(1)
    await first
    const second = put(3)
    t.mock.timers.tick(9)
    await turns()
    assert.deepEqual(batches, [[1]])
    t.mock.timers.tick(1)
    await second
    assert.deepEqual(batches, [[1], [3]])
  })

  test('goes right after the commit during which its moment ends', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const gate = Promise.withResolvers<void>()
    const { put, batches } = start(async (inputs) => {
      if (inputs.includes(2)) await gate.promise
      return inputs
    })
    const urgent = put(2)
    await turns()
    const patient = put(1)
    t.mock.timers.tick(10)
    gate.resolve()
    await Promise.all([urgent, patient])
    assert.deepEqual(batches, [[2], [1]])
  })

  test('is not left behind where a batch cannot take it', async () => {
    const { put, batches } = start()
    await Promise.all([2, 4, 6, 8, 1].map(put))
    assert.deepEqual(batches, [[2, 4, 6, 8], [1]])
  })
})

test('what would wait too long is refused at once, and what waits is not', async () => {
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
