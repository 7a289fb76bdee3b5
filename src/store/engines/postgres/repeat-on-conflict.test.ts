// Aborted transactions are repeated a limited number of times.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isStoreError, StoreError } from '../../../kernel/store-error.ts'
import { repeatOnConflict } from './repeat-on-conflict.ts'

const conflicts = (count: number, pauses: number[] = []) => {
  let tries = 0
  const result = repeatOnConflict(
    async () => {
      tries += 1
      if (tries <= count) throw new StoreError('conflict', 'deadlock detected')
      return tries
    },
    { random: () => 1, wait: async (ms) => pauses.push(ms) },
  )
  return { result, tries: () => tries }
}

test('a transaction is repeated until it succeeds, after growing pauses', async () => {
  const pauses: number[] = []
  assert.equal(await conflicts(3, pauses).result, 4)
  assert.deepEqual(pauses, [10, 20, 40])
})

test('after six conflicts the store is reported as unavailable', async () => {
  const { result, tries } = conflicts(100)
  await assert.rejects(result, (error) => isStoreError(error, 'unavailable'))
  assert.equal(tries(), 6)
})

test('any other error is passed on at once, unchanged', async () => {
  const error = new StoreError('unique', 'there is one')
  let tries = 0
  const work = async () => {
    tries += 1
    throw error
  }
  await assert.rejects(repeatOnConflict(work), (raised) => raised === error)
  assert.equal(tries, 1)
})
