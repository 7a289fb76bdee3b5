import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMutex } from './locks.ts'

test('one holder at a time, in the order of the calls', async () => {
  const mutex = createMutex()
  const log: string[] = []
  const first = await mutex.acquire()
  const second = mutex.runExclusive(async () => {
    log.push('second begins')
    await Promise.resolve()
    log.push('second ends')
  })
  const third = mutex.runExclusive(async () => void log.push('third'))
  log.push('first ends')
  first()
  await Promise.all([second, third])
  assert.deepEqual(log, ['first ends', 'second begins', 'second ends', 'third'])
})

test('work that throws releases the mutex, and its caller gets the error', async () => {
  const mutex = createMutex()
  const failed = mutex.runExclusive(async () => {
    throw new Error('no')
  })
  await assert.rejects(failed, /^Error: no$/)
  assert.equal(await mutex.runExclusive(async () => 'next'), 'next')
})
