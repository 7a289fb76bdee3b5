// Frames of one turn share a write to the real socket, and arrive whole and in order.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { WebSocket, WebSocketServer } from 'ws'
import { joinWrites } from './inner-socket.ts'

let server: WebSocketServer
let socket: WebSocket
const received: string[] = []

before(async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  server.on('connection', (peer) => peer.on('message', (data: Buffer) => received.push(data.toString())))
  socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  await once(socket, 'open')
  joinWrites(socket)
})

after(() => {
  socket.terminate()
  server.close()
})

/** Writes that reach the operating system. */
function countWrites(): () => number {
  const stream = (socket as unknown as { _socket: Socket })._socket
  let writes = 0
  for (const name of ['_write', '_writev'] as const) {
    const write = stream[name]?.bind(stream) as (...values: unknown[]) => void
    Object.assign(stream, {
      [name]: (...values: unknown[]) => {
        writes += 1
        write(...values)
      },
    })
  }
  return () => writes
}

test('frames of one turn are one write, those of the next turn another one', async () => {
  const writes = countWrites()
  const sent = ['1', '2', '3', '4', '5']
  socket.send('1')
  await Promise.resolve().then(() => socket.send('2'))
  socket.send('3')
  assert.equal(writes(), 0)
  await nextTurn()
  assert.equal(writes(), 1)
  socket.send('4')
  socket.send('5')
  await nextTurn()
  assert.equal(writes(), 2)
  while (received.length < sent.length) await nextTurn()
  assert.deepEqual(received, sent)
})

test('a frame to a connection that is gone is refused as before', async () => {
  socket.terminate()
  await once(socket, 'close')
  const error = await new Promise((resolve) => socket.send('late', resolve))
  assert.ok(error instanceof Error)
})
