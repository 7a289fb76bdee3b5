// Ratchets stay consistent: one step at a time per address, and a message changes only the session it belongs to.
import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { createRequire } from 'node:module'
import { describe, test } from 'node:test'
import { createKeyedMutex } from '../../async/keyed-mutex.ts'
import { restoreUnmatched } from '../libsignal-sessions.ts'

type QueueJob = <T>(bucket: string, job: () => Promise<T>) => Promise<T>
const requireFrom = createRequire(import.meta.resolve('baileys'))
const queueJob = requireFrom('libsignal/src/queue_job.js') as QueueJob

describe('the mutex per Signal address', () => {
  test('a job in libsignal runs in the async context of its own caller', async () => {
    const mutex = createKeyedMutex<string>()
    const session = new AsyncLocalStorage<string>()
    const step = (name: string) =>
      session.run(name, () =>
        mutex.runExclusive('person.0', () => queueJob('person.0', async () => session.getStore())),
      )
    assert.deepEqual(await Promise.all([step('one'), step('two'), step('three')]), ['one', 'two', 'three'])
  })
})

test('a message advances only the session it belongs to', () => {
  const session = (used: number, step: number) => ({ indexInfo: { used }, step })
  const before = { version: 'v1', _sessions: { a: session(1, 1), b: session(2, 1) } }
  const after = { version: 'v1', _sessions: { a: session(9, 2), b: session(2, 2), c: session(5, 1) } }
  assert.deepEqual(restoreUnmatched(before, after), {
    version: 'v1',
    _sessions: { a: session(9, 2), b: session(2, 1), c: session(5, 1) },
  })
})
