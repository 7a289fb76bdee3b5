// No frame ends the process: errors of the library's listeners stay inside their connection.
import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { describe, test } from 'node:test'
import { containErrors } from './contain-errors.ts'

function contained(listen: (socket: EventEmitter) => void) {
  const socket = new EventEmitter()
  listen(socket)
  const logged: string[] = []
  const ended: Error[] = []
  containErrors(socket, {
    log: { debug: (message) => logged.push(message) },
    end: (error) => ended.push(error),
  })
  return { socket, logged, ended }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('errors of stanzas', () => {
  test('an async listener that fails is logged, and the others still run, in their order', async () => {
    const seen: string[] = []
    const { socket, logged, ended } = contained((ws) => {
      const failLater: (stanza: unknown) => unknown = async () => {
        seen.push('first')
        throw new Error('an odd receipt')
      }
      ws.on('CB:receipt', failLater)
      ws.on('CB:receipt', () => {
        seen.push('second')
        throw new Error('odd as well')
      })
      ws.on('CB:receipt', () => seen.push('third'))
    })
    socket.emit('CB:receipt', {})
    assert.deepEqual(seen, ['first', 'second', 'third'], 'in the same turn')
    await turn()
    assert.equal(logged.length, 2)
    assert.deepEqual(ended, [])
  })

  test('a frame that cannot be decoded is skipped, and the frames behind it in the same chunk are read', async () => {
    const waiting = ['first', 'broken', 'last']
    const read: string[] = []
    const { socket, logged } = contained((ws) =>
      ws.on('message', () => {
        for (let frame = waiting.shift(); frame !== undefined; frame = waiting.shift()) {
          if (frame === 'broken') throw new Error('end of stream')
          read.push(frame)
        }
      }),
    )
    socket.emit('message', Buffer.from('a chunk'))
    await turn()
    assert.deepEqual(read, ['first', 'last'])
    assert.equal(logged.length, 1)
  })

  test('a frame that was not encrypted with the keys of the connection ends the connection', async () => {
    const { socket, ended } = contained((ws) =>
      ws.on('message', () => {
        throw new Error('Unsupported state or unable to authenticate data')
      }),
    )
    socket.emit('message', Buffer.from('forged'))
    await turn()
    assert.equal(ended.length, 1)
  })

  test('chunks are handed over one at a time and in their order, also when decoding one of them takes longer', async () => {
    const read: string[] = []
    const inflated = Promise.withResolvers<void>()
    const { socket } = contained((ws) => {
      const decode: (chunk: unknown) => unknown = async (chunk) => {
        if (String(chunk) === 'compressed') await inflated.promise
        read.push(String(chunk))
      }
      ws.on('message', decode)
    })
    for (const chunk of ['plain', 'compressed', 'behind', 'last']) socket.emit('message', Buffer.from(chunk))
    for (let turns = 0; turns < 10; turns += 1) await turn()
    assert.deepEqual(read, ['plain'])
    inflated.resolve()
    while (read.length < 4) await turn()
    assert.deepEqual(read, ['plain', 'compressed', 'behind', 'last'])
  })

  test('a burst of frames lets timers and other connections run in between', async () => {
    const read: number[] = []
    const { socket } = contained((ws) =>
      ws.on('message', (count: number) => {
        const until = performance.now() + 15
        while (performance.now() < until);
        read.push(count)
      }),
    )
    for (let count = 0; count < 6; count += 1) socket.emit('message', count)
    await turn()
    assert.ok(read.length < 6, `${read.length} frames in one turn of the loop`)
    while (read.length < 6) await turn()
    assert.deepEqual(read, [0, 1, 2, 3, 4, 5])
  })
})
