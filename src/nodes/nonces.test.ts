import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createNonces } from './node-server.ts'

test('a nonce is accepted once for as long as a signature can be valid', () => {
  let time = 0
  const nonces = createNonces(() => time)
  assert.equal(nonces.accept('a'), 'new')
  for (time of [0, 30_000, 59_999]) assert.equal(nonces.accept('a'), 'seen', String(time))
  assert.equal(nonces.accept('b'), 'new')
  time = 119_999
  assert.equal(nonces.accept('b'), 'seen')
})

test('when no more nonces can be remembered, requests are refused and none is forgotten early', () => {
  let time = 0
  const nonces = createNonces(() => time, 2)
  assert.deepEqual(['a', 'b', 'c', 'a'].map(nonces.accept), ['new', 'new', 'full', 'seen'])
  time = 60_000
  assert.deepEqual(['c', 'a'].map(nonces.accept), ['new', 'seen'])
  time = 120_000
  assert.deepEqual(['a', 'c'].map(nonces.accept), ['new', 'seen'])
  time = 1_000_000
  assert.deepEqual(['a', 'c'].map(nonces.accept), ['new', 'new'])
})
