// A sandbox network that runs on its own, with TLS, and starts after the gateway.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { startSandbox } from '../../sandbox/sandbox.ts'
import { engines } from '../support/engines.ts'
import { freePort } from '../support/free-port.ts'
import { api, ask, linkedInstance, newNumber, until, world } from '../support/linked.ts'
import { png } from '../support/sample-files.ts'
import { newKey, startWithKey } from '../support/started.ts'

const [sqlite] = engines as [(typeof engines)[number]]
const certificates = join(import.meta.dirname, '../support/certificates')
const tls = {
  certFile: join(certificates, 'self-signed-cert.pem'),
  keyFile: join(certificates, 'self-signed-key.pem'),
}
const log = { info: () => undefined, error: () => undefined }

test('the gateway waits for its sandbox, and transfers files over TLS', async () => {
  const storeLocation = await sqlite.createLocation()
  const apiKey = newKey()
  // In place of the sandbox: shows that the gateway has tried, and frees the port.
  const port = await freePort()
  const early = createServer((socket) => socket.on('error', () => undefined).destroy())
  await once(early.listen(port, '127.0.0.1'), 'listening')
  const starting = startWithKey(storeLocation, newKey(), {
    SANDBOX_URL: `https://localhost:${port}`,
    SANDBOX_KEY: apiKey,
    NODE_EXTRA_CA_CERTS: tls.certFile,
  })
  await once(early, 'connection')
  early.close()
  await once(early, 'close')
  const sandbox = await startSandbox({ host: '127.0.0.1', port, dataDir: undefined, apiKey, tls, log })
  const gateway = await starting
  const [owner, bob] = [newNumber(), newNumber()]
  const line = await linkedInstance(gateway, owner)
  await world(gateway, 'POST /phones', { number: bob })
  const media = { type: 'image', base64: png(5, 5).toString('base64'), mimetype: 'image/png' }
  const { messageId } = await world(gateway, `POST /phones/${bob}/send`, { to: owner, media })
  const path = `GET /api/v1/messages/${messageId}/media?instanceName=${line}`
  const file = await until('the file', async () => {
    const answer = await ask(gateway, path)
    return answer.status === 200 ? answer.bytes : undefined
  })
  assert.deepEqual(file, png(5, 5))
  const uploaded = await fetch(`${gateway.url}/api/v1/media`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'image/png' },
    body: new Uint8Array(png(3, 3)),
  })
  const { mediaId } = (await uploaded.json()) as { mediaId: string }
  const body = { instanceName: line, number: bob, type: 'image', mediaId, delay: 0 }
  const sent = await api(gateway, 'POST /send/media', body)
  await world(gateway, `GET /phones/${bob}/messages/${sent.messageId}?waitMs=30000`)
  await gateway.stop('SIGKILL')
  await sandbox.stop()
  await storeLocation.dispose()
})
