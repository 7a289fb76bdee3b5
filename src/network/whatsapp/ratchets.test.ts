// What keeps ratchets whole: one step at a time with an address, and sessions that a message did not belong to unchanged.
import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { createRequire } from 'node:module'
import { describe, test } from 'node:test'
import { putBackUntouched } from '../libsignal-sessions.ts'
import { createAddressTurns } from './address-turns.ts'

type QueueJob = <T>(bucket: string, job: () => Promise<T>) => Promise<T>
const requireFrom = createRequire(import.meta.resolve('baileys'))
const queueJob = requireFrom('libsignal/src/queue_job.js') as QueueJob

describe('turns with an address', () => {
  test('a step in libsignal runs in the async context of whoever took the turn', async () => {
    const turns = createAddressTurns()
    const session = new AsyncLocalStorage<string>()
    const step = (name: string) =>
      session.run(name, () =>
        turns.take('person.0', () => queueJob('person.0', async () => session.getStore())),
      )
    assert.deepEqual(await Promise.all([step('one'), step('two'), step('three')]), ['one', 'two', 'three'])
  })

  test('a step that fails lets the next one go, and its failure is told', async () => {
    const turns = createAddressTurns()
    const failing = turns.take('person.0', () => Promise.reject(new Error('unreadable')))
    const next = turns.take('person.0', async () => 'read')
    await assert.rejects(failing, /unreadable/)
    assert.equal(await next, 'read')
  })
})

test('only the session that a message belonged to moves on', () => {
  const session = (used: number, step: number) => ({ indexInfo: { used }, step })
  const before = { version: 'v1', _sessions: { a: session(1, 1), b: session(2, 1) } }
  const after = { version: 'v1', _sessions: { a: session(9, 2), b: session(2, 2), c: session(5, 1) } }
  assert.deepEqual(putBackUntouched(before, after), {
    version: 'v1',
    _sessions: { a: session(9, 2), b: session(2, 1), c: session(5, 1) },
  })
})
