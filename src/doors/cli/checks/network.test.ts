// The doctor's network check, with a name and servers that fail.
import assert from 'node:assert/strict'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { readSettings } from '../../../config.ts'
import { checkNetwork, checkReachable } from './network.ts'

test('ok with the sandbox', async () => {
  assert.deepEqual(
    (await checkNetwork(readSettings({}))).map(({ status }) => status),
    ['ok'],
  )
})

test('wrong when the name does not resolve, or the server does not speak TLS', async () => {
  const [unresolved] = await checkReachable('unknown.invalid', 443)
  assert.equal(unresolved?.status, 'wrong')
  assert.match(unresolved.found, /does not resolve/)
  assert.match(unresolved.todo ?? '', /DNS/)

  const server = createServer((socket) =>
    socket.on('error', () => undefined).end('HTTP/1.1 400 Bad Request\r\n\r\n'),
  )
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const [plain] = await checkReachable('localhost', (server.address() as AddressInfo).port)
  server.close()
  assert.equal(plain?.status, 'wrong')
  assert.match(plain.found, /no TLS connection/)
  assert.match(plain.todo ?? '', /firewall/)
})

test('wrong when the server does not answer in time', async () => {
  const sockets: Socket[] = []
  const server = createServer((socket) => void sockets.push(socket.on('error', () => undefined)))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const [silent] = await checkReachable('localhost', (server.address() as AddressInfo).port, 100)
  for (const socket of sockets) socket.destroy()
  server.close()
  assert.match(silent?.found ?? '', /no answer within 100 ms/)
})
