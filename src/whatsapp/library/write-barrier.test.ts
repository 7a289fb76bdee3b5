import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { manualTime, promisesSettled } from '../../../test/support/manual-time.ts'
import type { Credentials } from '../../network/network.ts'
import { createWriteBarrier } from './write-barrier.ts'

function guarded() {
  const sent: unknown[] = []
  const refused: unknown[] = []
  /** Frames that the library believes it has sent. */
  const acknowledged: unknown[] = []
  const failures: unknown[] = []
  const gate = { isOpen: true }
  const time = manualTime()
  const barrier = createWriteBarrier(
    (error) => failures.push(error),
    () => gate.isOpen,
    { clock: time.now, timers: time.timers },
  )
  const socket = {
    send: (data: unknown, done?: (error?: Error) => void) => (sent.push(data), done?.()),
    close: () => void sent.push('closed'),
  }
  barrier.guard(socket)
  const send = (data: unknown) => socket.send(data, (error) => (error ? refused : acknowledged).push(data))
  return { time, gate, barrier, send, close: () => socket.close(), sent, acknowledged, refused, failures }
}

describe('write barrier', () => {
  test('sends frames at once while no write is running', () => {
    const { send, sent } = guarded()
    send('a')
    assert.deepEqual(sent, ['a'])
  })

  test('while the gate is shut no frame is sent, nor is one that waits for a write, and the connection fails', async () => {
    const { gate, barrier, send, sent, refused, failures } = guarded()
    const write = Promise.withResolvers<void>()
    barrier.hold(write.promise)
    send('waits')
    gate.isOpen = false
    write.resolve()
    await promisesSettled()
    send('late')
    gate.isOpen = true
    send('too late')
    assert.deepEqual([sent, refused, failures.length], [[], ['late', 'too late'], 1])
  })

  test('a frame waits for every write that started before it, and no other', async () => {
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
    await promisesSettled()
    assert.deepEqual(sent, [])
    first.resolve()
    await promisesSettled()
    assert.deepEqual(sent, ['a'])
    third.resolve()
    await promisesSettled()
    assert.deepEqual(sent, ['a', 'b'])
  })

  test('frames keep their order, even when the write ends between them', async () => {
    const { barrier, send, sent } = guarded()
    const write = Promise.withResolvers<void>()
    barrier.hold(write.promise)
    for (const frame of ['a', 'b']) send(frame)
    write.resolve()
    // A frame at each microtask until the barrier is clear.
    const wanted = ['a', 'b']
    for (let step = 0; step < 20; step += 1) {
      send(step)
      wanted.push(String(step))
      await Promise.resolve()
    }
    await promisesSettled()
    assert.deepEqual(sent.map(String), wanted)
  })

  test('closes after the last waiting frame, and at once if none waits or the barrier has failed', async () => {
    const { barrier, send, close, sent } = guarded()
    const write = Promise.withResolvers<void>()
    barrier.hold(write.promise)
    send('goodbye')
    close()
    assert.deepEqual(sent, [])
    write.resolve()
    await promisesSettled()
    assert.deepEqual(sent, ['goodbye', 'closed'])
    close()
    assert.deepEqual(sent, ['goodbye', 'closed', 'closed'])
    const failing = guarded()
    failing.barrier.hold(Promise.reject(new Error('disk full')))
    failing.send('never')
    failing.close()
    await promisesSettled()
    assert.deepEqual(failing.sent, ['closed'])
  })

  test('a failed write drops waiting frames, refuses new ones, and is reported once', async () => {
    const { barrier, send, sent, refused, failures } = guarded()
    const error = new Error('disk full')
    const write = Promise.withResolvers<void>()
    barrier.hold(write.promise)
    send('waits')
    write.reject(error)
    await promisesSettled()
    barrier.hold(Promise.reject(new Error('again')))
    send('comes')
    await promisesSettled()
    assert.deepEqual(sent, [])
    assert.deepEqual(refused, ['comes'])
    assert.deepEqual(failures, [error])
  })

  test('a write that does not end makes the barrier fail: nothing that waits is sent, and the connection can be closed', async () => {
    const { time, barrier, send, close, sent, refused, failures } = guarded()
    const write = Promise.withResolvers<void>()
    barrier.hold(write.promise)
    send('acknowledgement')
    await time.advance(59_999)
    assert.deepEqual(failures, [])
    await time.advance(1)
    assert.deepEqual(failures.map(String), ['Error: a call of the store has not ended within 60 s'])
    send('later')
    close()
    assert.deepEqual([sent, refused], [['closed'], ['later']])
    // Too late: the network delivers again to the next connection.
    write.resolve()
    await promisesSettled()
    assert.deepEqual([sent, failures.length], [['closed'], 1])
  })

  for (const call of ['read', 'findArrival', 'write'] as const) {
    test(`${call}: a call of the store that does not end makes the barrier fail`, async () => {
      const { time, barrier, failures } = guarded()
      const endless = () => new Promise<never>(() => undefined)
      const held = barrier.watch({ read: endless, findArrival: endless, write: endless })
      void {
        read: () => held.read('session', []),
        findArrival: () => held.findArrival(''),
        write: () => held.write([], []),
      }[call]()
      await time.advance(60_000)
      assert.equal(failures.length, 1)
    })
  }

  test('a failed write of keys makes the barrier fail, and rejects for its caller', async () => {
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

  test('a frame waits for keys of writeBehind(), and the library does not', async () => {
    const { barrier, send, sent, acknowledged } = guarded()
    const write = Promise.withResolvers<void>()
    const credentials: Credentials = {
      read: async () => new Map(),
      findArrival: async () => undefined,
      write: () => write.promise,
    }
    void barrier.watch(credentials).writeBehind([], [])
    send('a')
    assert.deepEqual([sent, acknowledged], [[], ['a']])
    write.resolve()
    await promisesSettled()
    assert.deepEqual([sent, acknowledged], [['a'], ['a']])
  })
})
