import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listedBefore } from './rules.ts'

test('a message that is older by its time is listed at that time', () => {
  assert.deepEqual(listedBefore([1000, 3000], 5000), [1000, 3000])
})

test('messages of the same second are listed before the next one, in their order', () => {
  assert.deepEqual(listedBefore([1000, 5000, 5000], 5000), [1000, 4998, 4999])
})

test('the order does not depend on wrong times of the phone', () => {
  assert.deepEqual(listedBefore([9000, 8000], 5000), [4998, 4999])
})
