import assert from 'node:assert/strict'
import { test } from 'node:test'
import { promisesSettled } from '../../../test/support/manual-time.ts'
import { createSemaphore } from './locks.ts'

test('at most `size` callers hold a slot; the others follow in the order of their calls', async () => {
  const acquire = createSemaphore(2)
  const acquired: number[] = []
  const releases: (() => void)[] = []
  for (let index = 0; index < 5; index += 1) {
    void acquire().then((release) => {
      acquired.push(index)
      releases.push(release)
    })
  }
  await promisesSettled()
  assert.deepEqual(acquired, [0, 1])
  releases[1]?.()
  await promisesSettled()
  assert.deepEqual(acquired, [0, 1, 2])
  for (const release of releases) release()
  await promisesSettled()
  assert.deepEqual(acquired, [0, 1, 2, 3, 4])
})

test('releasing twice frees one slot', async () => {
  const acquire = createSemaphore(1)
  const release = await acquire()
  release()
  release()
  await acquire()
  let isAcquired = false
  void acquire().then(() => (isAcquired = true))
  await promisesSettled()
  assert.equal(isAcquired, false)
})
