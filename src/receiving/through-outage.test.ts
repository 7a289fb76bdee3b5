import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manualTime } from '../../test/support/manual-time.ts'
import { StoreError } from '../kernel/store-error.ts'
import { throughOutage } from './recorder.ts'

/** Work that fails until the test says otherwise. */
function failing(error: Error) {
  const time = manualTime()
  const state = { isFailing: true, tries: 0 }
  const done = throughOutage(
    async () => {
      state.tries += 1
      if (state.isFailing) throw error
      return 'written'
    },
    { now: time.now, timers: time.timers },
  )
  done.catch(() => undefined)
  return { time, state, done }
}

test('a write waits while the database is unavailable for a few seconds', async () => {
  const { time, state, done } = failing(new StoreError('unavailable', 'the server is starting'))
  for (let passed = 0; passed < 10; passed += 1) await time.advance(500)
  assert.ok(state.tries > 5, String(state.tries))
  state.isFailing = false
  await time.advance(500)
  assert.equal(await done, 'written')
})

test('after six seconds the write fails, before the lease of the node can end', async () => {
  const { time, done } = failing(new StoreError('unavailable', 'away'))
  for (let passed = 0; passed < 14; passed += 1) await time.advance(500)
  await assert.rejects(done, { kind: 'unavailable' })
})

test('a write that the store refuses fails at once', async () => {
  const { state, done } = failing(new StoreError('failed', 'too long'))
  await assert.rejects(done, { kind: 'failed' })
  assert.equal(state.tries, 1)
})
