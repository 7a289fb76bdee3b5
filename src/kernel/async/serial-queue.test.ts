import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { promisesSettled } from '../../../test/support/manual-time.ts'
import { createSerialQueue } from './locks.ts'

describe('serial queue', () => {
  test('runs one task at a time, in the order of the calls', async () => {
    const queue = createSerialQueue()
    const log: string[] = []
    const gate = Promise.withResolvers<void>()
    const first = queue.run(async () => {
      log.push('first begins')
      await gate.promise
      log.push('first ends')
      return 1
    })
    const second = queue.run(() => {
      log.push('second')
      return 2
    })
    await promisesSettled()
    assert.deepEqual(log, ['first begins'])
    gate.resolve()
    assert.deepEqual(await Promise.all([first, second]), [1, 2])
    assert.deepEqual(log, ['first begins', 'first ends', 'second'])
  })

  test('a failure reaches its caller, and the next task runs', async () => {
    const queue = createSerialQueue()
    const failures = [
      queue.run(() => Promise.reject(new Error('rejected'))),
      queue.run(() => {
        throw new Error('thrown')
      }),
    ]
    const next = queue.run(() => 'next')
    assert.deepEqual(
      (await Promise.allSettled(failures)).map(
        (result) => result.status === 'rejected' && String(result.reason),
      ),
      ['Error: rejected', 'Error: thrown'],
    )
    assert.equal(await next, 'next')
  })

  test('is drained when the tasks so far have settled, failed ones included', async () => {
    const queue = createSerialQueue()
    await queue.drained()
    const gate = Promise.withResolvers<void>()
    const failing = queue.run(() => gate.promise)
    let isDrained = false
    const drained = queue.drained().then(() => (isDrained = true))
    await promisesSettled()
    assert.equal(isDrained, false)
    gate.reject(new Error('no'))
    await assert.rejects(failing)
    await drained
  })
})
