import assert from 'node:assert/strict'
import { test } from 'node:test'
import { promisesSettled } from '../../../test/support/manual-time.ts'
import { entryName } from './entry-name.ts'
import { createFairSemaphore } from './locks.ts'

/** Callers in the given order of keys; `acquired` has their positions. */
function callers(limits: { size: number; perKey: number }, keys: number[], signals: AbortSignal[] = []) {
  const acquire = createFairSemaphore(limits)
  const acquired: number[] = []
  const releases: (() => void)[] = []
  const failed: unknown[] = []
  for (const [position, key] of keys.entries()) {
    acquire(entryName('test', key), signals[position]).then(
      (release) => {
        acquired.push(position)
        releases[position] = release
      },
      (error: unknown) => failed.push(error),
    )
  }
  return { acquired, releases, failed }
}

test('one key never holds all slots, and another key gets one at once', async () => {
  const { acquired } = callers({ size: 3, perKey: 2 }, [1, 1, 1, 1, 2])
  await promisesSettled()
  assert.deepEqual(acquired, [0, 1, 4])
})

test('a free slot goes to the key that holds the fewest, then to the one whose turn is longest ago', async () => {
  const { acquired, releases } = callers({ size: 2, perKey: 1 }, [1, 1, 1, 2, 2, 3])
  await promisesSettled()
  assert.deepEqual(acquired, [0, 3])
  for (const [done, next] of [
    [0, 5],
    [3, 1],
    [5, 4],
    [1, 2],
  ] as const) {
    releases[done]?.()
    await promisesSettled()
    assert.equal(acquired.at(-1), next)
  }
})

test('a caller that stops waiting takes no slot', async () => {
  const controller = new AbortController()
  const { acquired, releases, failed } = callers(
    { size: 1, perKey: 1 },
    [1, 1, 2],
    [AbortSignal.any([]), controller.signal],
  )
  await promisesSettled()
  controller.abort(new Error('stopped'))
  await promisesSettled()
  assert.deepEqual(failed, [new Error('stopped')])
  releases[0]?.()
  await promisesSettled()
  assert.deepEqual(acquired, [0, 2])
})

test('releasing twice frees one slot', async () => {
  const { acquired, releases } = callers({ size: 1, perKey: 1 }, [1, 1, 1])
  await promisesSettled()
  releases[0]?.()
  releases[0]?.()
  await promisesSettled()
  assert.deepEqual(acquired, [0, 1])
})
