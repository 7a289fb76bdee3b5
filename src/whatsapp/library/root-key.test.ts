import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { test } from 'node:test'
import { WA_CERT_DETAILS } from 'baileys'
import { withRootKey } from './root-key.ts'

test('each connection of a process has the root key of its network, also in the events of its socket', async (t) => {
  const ofLibrary = WA_CERT_DETAILS.PUBLIC_KEY
  const server = createServer((socket) => socket.end('hello')).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const keyAtFirstByte = (root: string): Promise<Buffer> =>
    withRootKey(Buffer.from(root), () => {
      const socket = connect(port, '127.0.0.1')
      return new Promise((resolve) => socket.on('data', () => resolve(WA_CERT_DETAILS.PUBLIC_KEY)))
    })
  const keys = await Promise.all(['one', 'two', 'one'].map(keyAtFirstByte))
  assert.deepEqual(keys.map(String), ['one', 'two', 'one'])
  assert.deepEqual(WA_CERT_DETAILS.PUBLIC_KEY, ofLibrary)
})
