import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { test } from 'node:test'
import { createTransfers, cutIfStalled } from './transfers.ts'

const reasonOf = (begin: () => unknown): string => {
  try {
    begin()
    return 'accepted'
  } catch (error) {
    return (error as { reason: string }).reason
  }
}

test('an account has 8 transfers at a time, 2 of them from memory, and ended ones are free again', () => {
  const transfers = createTransfers()
  const mine = Array.from({ length: 8 }, () => transfers.begin(1))
  assert.equal(
    reasonOf(() => transfers.begin(1)),
    'too_many_downloads',
  )
  assert.equal(
    reasonOf(() => mine[0]?.holdInMemory()),
    'accepted',
  )
  assert.equal(
    reasonOf(() => mine[1]?.holdInMemory()),
    'accepted',
  )
  assert.equal(
    reasonOf(() => mine[2]?.holdInMemory()),
    'too_many_downloads',
  )
  mine[0]?.end()
  mine[0]?.end()
  assert.equal(transfers.count(), 7)
  assert.equal(
    reasonOf(() => mine[2]?.holdInMemory()),
    'accepted',
  )
  assert.equal(
    reasonOf(() => transfers.begin(1)),
    'accepted',
  )
})

test('all accounts together have 64 transfers at a time, 4 of them from memory', () => {
  const transfers = createTransfers()
  const all = Array.from({ length: 64 }, (_, index) => transfers.begin(index))
  assert.equal(
    reasonOf(() => transfers.begin(99)),
    'unavailable',
  )
  for (const each of all.slice(0, 4)) each.holdInMemory()
  assert.equal(
    reasonOf(() => all[4]?.holdInMemory()),
    'unavailable',
  )
  for (const each of all) each.end()
  assert.equal(transfers.count(), 0)
  assert.equal(
    reasonOf(() => transfers.begin(99).holdInMemory()),
    'accepted',
  )
})

const CHUNK = Buffer.alloc(1024 * 1024)
const COUNT = 64

/** A server that sends many chunks with this stall limit. Resolves with the number of chunks that were taken before its answer ended. */
async function serve(stallMs: number) {
  const ended = Promise.withResolvers<{ taken: number; complete: boolean }>()
  const server = createServer((_request, response) => {
    let taken = 0
    async function* chunks() {
      for (; taken < COUNT; taken += 1) yield CHUNK
    }
    const source = Readable.from(cutIfStalled(chunks(), response, stallMs), { objectMode: false })
    pipeline(source, response).then(
      () => ended.resolve({ taken, complete: true }),
      () => ended.resolve({ taken, complete: false }),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, ended: ended.promise, port: (server.address() as AddressInfo).port }
}

test('a client that does not read is cut off, and no more than a few chunks are read for it', async () => {
  const { server, ended, port } = await serve(100)
  const socket = connect(port, '127.0.0.1').pause()
  socket.on('error', () => undefined)
  socket.write('GET / HTTP/1.1\r\nHost: gateway\r\n\r\n')
  const { taken, complete } = await ended
  assert.equal(complete, false)
  assert.ok(taken < COUNT / 2, `${taken} chunks were read`)
  socket.destroy()
  server.close()
})

test('a client that reads gets everything', async () => {
  const { server, ended, port } = await serve(60_000)
  const response = await fetch(`http://127.0.0.1:${port}`)
  assert.equal((await response.arrayBuffer()).byteLength, COUNT * CHUNK.length)
  assert.deepEqual(await ended, { taken: COUNT, complete: true })
  server.close()
  server.closeAllConnections()
})
