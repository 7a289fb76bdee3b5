import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Credentials } from '../network.ts'
import { createWriteBarrier } from './write-barrier.ts'

const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

function guarded() {
  const sent: unknown[] = []
  const refused: unknown[] = []
  const failures: unknown[] = []
  const barrier = createWriteBarrier((error) => failures.push(error))
  const socket = { send: (data: unknown, done?: (error?: Error) => void) => (sent.push(data), done?.()) }
  barrier.guard(socket)
  const send = (data: unknown) => socket.send(data, (error) => error && refused.push(data))
  return { barrier, send, sent, refused, failures }
}

describe('the barrier in front of the network', () => {
  test('lets frames through at once while nothing is being written', () => {
    const { send, sent } = guarded()
    send('a')
    assert.deepEqual(sent, ['a'])
  })

  test('a frame waits for every write that began before it, and only for those', async () => {
    const { barrier, send, sent } = guarded()
    const [first, second, third] = [1, 2, 3].map(() => Promise.withResolvers<void>()) as [
      PromiseWithResolvers<void>,
      PromiseWithResolvers<void>,
      PromiseWithResolvers<void>,
    ]
    barrier.hold(first.promise)
    barrier.hold(second.promise)
    send('a')
    barrier.hold(third.promise)
    send('b')
    second.resolve()
    await settle()
    assert.deepEqual(sent, [])
    first.resolve()
    await settle()
    assert.deepEqual(sent, ['a'])
    third.resolve()
    await settle()
    assert.deepEqual(sent, ['a', 'b'])
  })

  test('no frame overtakes another, even when the write ends between them', async () => {
    const { barrier, send, sent } = guarded()
    const write = Promise.withResolvers<void>()
    barrier.hold(write.promise)
    for (const frame of ['a', 'b']) send(frame)
    write.resolve()
    // Whatever the number of steps until the barrier opens, a frame comes at each of them.
    const wanted = ['a', 'b']
    for (let step = 0; step < 20; step += 1) {
      send(step)
      wanted.push(String(step))
      await Promise.resolve()
    }
    await settle()
    assert.deepEqual(sent.map(String), wanted)
  })

  test('a write that fails closes the way: what waits and what comes is refused, and it is said once', async () => {
    const { barrier, send, sent, refused, failures } = guarded()
    const error = new Error('disk full')
    const write = Promise.withResolvers<void>()
    barrier.hold(write.promise)
    send('waits')
    write.reject(error)
    await settle()
    barrier.hold(Promise.reject(new Error('again')))
    send('comes')
    await settle()
    assert.deepEqual(sent, [])
    assert.deepEqual(refused, ['waits', 'comes'])
    assert.deepEqual(failures, [error])
  })

  test('a key that cannot be written closes the way too, and whoever wrote it hears of it', async () => {
    const { barrier, send, sent, failures } = guarded()
    const error = new Error('another process serves this instance')
    const credentials: Credentials = {
      read: async () => new Map(),
      findArrival: async () => undefined,
      write: () => Promise.reject(error),
    }
    await assert.rejects(barrier.watch(credentials).write([], []), error)
    send('a')
    assert.deepEqual([sent, failures], [[], [error]])
  })
})
