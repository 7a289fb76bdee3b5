// Clients that never finish a request do not keep others from being answered (promise F1).
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { behaviourContract } from '../support/behaviour-contract.ts'
import { withInstance } from './fixture.ts'

const SLOW_CLIENTS = 700
const NUMBER = '5511912345678'

/** Where each of them stops: in the request line, in the headers, in the body. */
const UNFINISHED = [
  'POST /api/v1/se',
  'POST /api/v1/send/text HTTP/1.1\r\nHost: gateway\r\nX-Slow: 1',
  'POST /api/v1/send/text HTTP/1.1\r\nHost: gateway\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"in',
]

behaviourContract('slow clients', (gateway) => {
  const prepared = withInstance(gateway)
  const sockets: Socket[] = []
  after(() => {
    for (const socket of sockets) socket.destroy()
  })

  test(`200 for sends and reads while ${SLOW_CLIENTS} requests never arrive completely`, async () => {
    const { url, mine, instance } = await prepared()
    const { hostname, port } = new URL(url)
    const opened = Array.from({ length: SLOW_CLIENTS }, async (_, index) => {
      const socket = connect(Number(port), hostname)
      sockets.push(socket)
      // The server may close it at any time: that is its right.
      socket.on('error', () => undefined)
      await once(socket, 'connect')
      socket.write(UNFINISHED[index % UNFINISHED.length] ?? '')
    })
    await Promise.all(opened)
    const calls = Array.from({ length: 30 }, (_, index) =>
      index % 2 === 0
        ? mine.call('sendText', { body: { instanceName: instance.name, number: NUMBER, message: 'hi' } })
        : mine.call('listMessages', { query: { instanceName: instance.name } }),
    )
    const statuses = (await Promise.all(calls)).map(({ status }) => status)
    assert.deepEqual(new Set(statuses), new Set([200]))
  })
})
