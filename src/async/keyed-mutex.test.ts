import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createKeyedMutex } from './keyed-mutex.ts'

describe('keyed mutex', () => {
  test('runs work under one key in the order of the calls, never two at a time', async () => {
    const mutex = createKeyedMutex<string>()
    const gates = [0, 1, 2].map(() => Promise.withResolvers<void>())
    const started: number[] = []
    const results = gates.map((gate, index) =>
      mutex.runExclusive('a', async () => {
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
    const mutex = createKeyedMutex<string>()
    const started: string[] = []
    for (const key of ['a', 'a', 'b'])
      void mutex.runExclusive(key, () => {
        started.push(key)
        return new Promise<void>(() => undefined)
      })
    assert.deepEqual(started, ['a', 'b'])
  })

  test('a failure reaches its caller and does not stop the next work', async () => {
    const mutex = createKeyedMutex<number>()
    const failing = mutex.runExclusive(1, () => Promise.reject(new Error('no')))
    const next = mutex.runExclusive(1, async () => 'done')
    await assert.rejects(failing, { message: 'no' })
    assert.equal(await next, 'done')
  })
})
