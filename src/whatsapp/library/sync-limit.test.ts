// A collection of the app state that makes no progress is not requested for ever.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSyncLimit } from './quiet-logger.ts'

function begin() {
  let now = 0
  const limit = createSyncLimit(() => now)
  return {
    limit,
    pass: (ms: number) => (now += ms),
    request: (name: string, version: number) => limit(`resyncing ${name} from v${version}`),
  }
}

test('the eleventh request for the same version within a minute throws', () => {
  const { request } = begin()
  for (let count = 0; count < 10; count += 1) request('regular', 7)
  assert.throws(() => request('regular', 7), /makes no progress/)
})

test('a collection that moves on is requested as often as needed', () => {
  const { request } = begin()
  for (let version = 0; version < 1000; version += 1) request('regular', version)
})

test('changes of the same version over a longer time are requested', () => {
  const { request, pass } = begin()
  for (let count = 0; count < 100; count += 1) {
    request('regular', 7)
    pass(10_000)
  }
})

test('collections are counted on their own, also a text instead of a name, and other lines are ignored', () => {
  const { request, limit } = begin()
  for (let count = 0; count < 10; count += 1) {
    request('regular', 7)
    request('regular_low from v7 (no name)', 7)
    for (let other = 0; other < 20; other += 1) limit(`synced regular to v${count}`)
    limit({ any: 'object' })
  }
  assert.throws(() => request('regular_low from v7 (no name)', 7))
})
