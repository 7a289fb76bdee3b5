import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pollResult } from './poll-results.ts'

test('the last vote of each person counts, for every option that it has', () => {
  const votes = [
    { voter: 'ana', options: ['b', 'c'] },
    { voter: 'bob', options: ['b'] },
    { voter: 'ana', options: ['a'] },
  ]
  assert.deepEqual(pollResult(['a', 'b', 'c'], votes), {
    voters: 2,
    unreadable: 0,
    options: [
      { name: 'a', votes: 0, voters: [] },
      { name: 'b', votes: 2, voters: ['ana', 'bob'] },
      { name: 'c', votes: 1, voters: ['ana'] },
    ],
  })
})

test('a withdrawn vote does not count, and an unreadable one is counted apart', () => {
  const votes = [
    { voter: 'ana', options: [] },
    { voter: 'ana', options: ['a'] },
    { voter: 'bob', options: null },
    { voter: 'cat', options: ['unknown'] },
  ]
  assert.deepEqual(pollResult(['a'], votes), {
    voters: 0,
    unreadable: 1,
    options: [{ name: 'a', votes: 0, voters: [] }],
  })
})
