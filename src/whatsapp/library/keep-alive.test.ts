// A connection is pinged, and closed when the other end is silent, on a clock that cannot be set.
import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { manualTime } from '../../../test/support/manual-time.ts'
import { type KeptSocket, startKeepAlive } from './open-library.ts'

const INTERVAL_MS = 20_000

function begin() {
  const time = manualTime()
  const ws = Object.assign(new EventEmitter(), { isOpen: true })
  const seen = { pings: 0, ended: [] as number[] }
  const socket: KeptSocket = {
    ws,
    generateMessageTag: () => 'tag',
    query: async () => {
      seen.pings += 1
    },
    end: (error) => seen.ended.push((error as Error & { output: { statusCode: number } }).output.statusCode),
  }
  startKeepAlive(socket, INTERVAL_MS, time.now, time.timers)
  return { time, ws, seen }
}

test('each interval sends a ping, while answers arrive', () => {
  const { time, ws, seen } = begin()
  for (let turn = 0; turn < 10; turn++) {
    ws.emit('frame', { tag: 'iq', attrs: {} })
    time.pass(INTERVAL_MS)
  }
  assert.deepEqual(seen, { pings: 10, ended: [] })
})

test('a silent connection is closed as lost, once', () => {
  const { time, ws, seen } = begin()
  ws.emit('frame', { tag: 'success', attrs: {} })
  time.pass(10 * INTERVAL_MS)
  assert.deepEqual(seen, { pings: 1, ended: [408] })
})

test('nothing is sent during the handshake, whose frames are bytes, and after the close', () => {
  const { time, ws, seen } = begin()
  ws.emit('frame', new Uint8Array(3))
  time.pass(5 * INTERVAL_MS)
  ws.emit('frame', { tag: 'success', attrs: {} })
  ws.emit('close')
  time.pass(5 * INTERVAL_MS)
  assert.deepEqual(seen, { pings: 0, ended: [] })
})
