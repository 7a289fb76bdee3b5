import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { entryName } from './entry-name.ts'
import { createKeyedMutex } from './locks.ts'

describe('keyed mutex', () => {
  test('runs work under one key in the order of the calls, never two at a time', async () => {
    const mutex = createKeyedMutex()
    const gates = [0, 1, 2].map(() => Promise.withResolvers<void>())
    const started: number[] = []
    const results = gates.map((gate, index) =>
      mutex.runExclusive(entryName('test', 'a'), async () => {
        started.push(index)
        await gate.promise
        return index
      }),
    )
    for (const [index, gate] of gates.entries()) {
      assert.deepEqual(started, [0, 1, 2].slice(0, index + 1))
      gate.resolve()
      assert.equal(await results[index], index)
    }
  })

  test('starts work under a free key at once, while another key is held', () => {
    const mutex = createKeyedMutex()
    const started: string[] = []
    for (const key of ['a', 'a', 'b'])
      void mutex.runExclusive(entryName('test', key), () => {
        started.push(key)
        return new Promise<void>(() => undefined)
      })
    assert.deepEqual(started, ['a', 'b'])
  })

  test('a failure reaches its caller and does not stop the next work', async () => {
    const mutex = createKeyedMutex()
    const failing = mutex.runExclusive(entryName('test', 1), () => Promise.reject(new Error('no')))
    const next = mutex.runExclusive(entryName('test', 1), async () => 'done')
    await assert.rejects(failing, { message: 'no' })
    assert.equal(await next, 'done')
  })
})
