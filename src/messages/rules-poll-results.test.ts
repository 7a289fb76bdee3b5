import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pollResult } from './rules.ts'

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

test('votes by position count for that option, and positions outside the poll for none', () => {
  const votes = [
    { voter: 'ana', options: [1, 1] },
    { voter: 'bob', options: [0, 7, -1, 0.5] },
    { voter: 'cat', options: [9] },
  ]
  assert.deepEqual(pollResult(['a', 'b'], votes), {
    voters: 2,
    unreadable: 0,
    options: [
      { name: 'a', votes: 1, voters: ['bob'] },
      { name: 'b', votes: 1, voters: ['ana'] },
    ],
  })
})

test('a crafted poll is counted up to the options and names that real ones have', () => {
  const options = Array.from({ length: 100_000 }, (_, index) => (index < 60_000 ? 'x' : `${index}`))
  const votes = Array.from({ length: 10_000 }, (_, index) => ({ voter: `${index}`, options }))
  const { voters, options: counted } = pollResult(options, votes)
  assert.equal(voters, 10_000)
  assert.equal(counted.length, 100)
  assert.deepEqual([counted[0]?.votes, counted[0]?.voters.length], [10_000, 1024])
  assert.equal(counted[1]?.votes, 0)
})
