// A flow that runs on one engine in `npm test` misses none: `npm run test:long` runs it on the others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shareOf } from './support/behaviour-engines.ts'

test('each variant runs on one engine, the engines take turns, and the rest is every other combination', () => {
  const engines = ['sqlite', 'postgres']
  assert.deepEqual(
    [0, 1, 2].map((turn) => shareOf(engines, turn, false)),
    [['sqlite'], ['postgres'], ['sqlite']],
  )
  assert.deepEqual(
    [0, 1, 2].map((turn) => shareOf(engines, turn, true)),
    [['postgres'], ['sqlite'], ['postgres']],
  )
})

test('without the wanted engine the first one is used, and nothing remains', () => {
  const wanted = ['sqlite'].indexOf('postgres')
  assert.deepEqual(shareOf(['sqlite'], wanted, false), ['sqlite'])
  assert.deepEqual(shareOf(['sqlite'], wanted, true), [])
})
