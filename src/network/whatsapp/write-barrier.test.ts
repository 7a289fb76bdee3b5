import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Credentials } from '../network.ts'
import { createWriteBarrier } from './write-barrier.ts'

const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

function guarded() {
  const sent: unknown[] = []
  const refused: unknown[] = []
  /** Frames that their sender has off its hands. */
  const told: unknown[] = []
  const failures: unknown[] = []
  const barrier = createWriteBarrier((error) => failures.push(error))
  const socket = {
    send: (data: unknown, done?: (error?: Error) => void) => (sent.push(data), done?.()),
    close: () => void sent.push('closed'),
  }
  barrier.guard(socket)
  const send = (data: unknown) => socket.send(data, (error) => (error ? refused : told).push(data))
  return { barrier, send, close: () => socket.close(), sent, told, refused, failures }
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

  test('closes after the last frame that waits, and at once where none does or none may leave', async () => {
    const { barrier, send, close, sent } = guarded()
    const write = Promise.withResolvers<void>()
    barrier.hold(write.promise)
    send('goodbye')
    close()
    assert.deepEqual(sent, [])
    write.resolve()
    await settle()
    assert.deepEqual(sent, ['goodbye', 'closed'])
    close()
    assert.deepEqual(sent, ['goodbye', 'closed', 'closed'])
    const failing = guarded()
    failing.barrier.hold(Promise.reject(new Error('disk full')))
    failing.send('never')
    failing.close()
    await settle()
    assert.deepEqual(failing.sent, ['closed'])
  })

  test('a write that fails closes the way: what waits never leaves, what comes is refused, and it is said once', async () => {
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
    assert.deepEqual(refused, ['comes'])
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

  test('a frame waits for the keys that were written behind, and whoever sends it need not', async () => {
    const { barrier, send, sent, told } = guarded()
    const write = Promise.withResolvers<void>()
    const credentials: Credentials = {
      read: async () => new Map(),
      findArrival: async () => undefined,
      write: () => write.promise,
    }
    void barrier.watch(credentials).writeBehind([])
    send('a')
    assert.deepEqual([sent, told], [[], ['a']])
    write.resolve()
    await settle()
    assert.deepEqual([sent, told], [['a'], ['a']])
  })
})
