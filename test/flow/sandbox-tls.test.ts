// The gateway on a sandbox network that serves wss and https: sockets, uploads, downloads and calls, all verified.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { png } from '../support/sample-files.ts'
import { type PairedInstance, type SandboxWorld, startSandboxWorld } from '../support/sandbox-world.ts'
import { startWebHost, type WebHost } from '../support/web-host.ts'

const OWNER = '5511960000001'
const BOB = '5511960000002'
const certificates = join(import.meta.dirname, '../support/certificates')

describe('a sandbox network with its own certificate', () => {
  let sandbox: SandboxWorld
  let files: WebHost
  let line: PairedInstance
  before(async () => {
    files = await startWebHost((_request, response) => {
      response.writeHead(200, { 'content-type': 'image/png' }).end(png(2, 2))
    })
    sandbox = await startSandboxWorld({
      SANDBOX_CERT_FILE: join(certificates, 'self-signed-cert.pem'),
      SANDBOX_KEY_FILE: join(certificates, 'self-signed-key.pem'),
    })
    await sandbox.world.phone(BOB, 'Bob')
    line = await sandbox.pair(OWNER)
  })
  after(async () => {
    await sandbox?.stop()
    await files?.close()
  })

  test('sockets use wss, and messages go both ways', async () => {
    assert.match(sandbox.world.sandbox.wsUrl, /^wss:/)
    const body = { instanceName: line.name, number: BOB, message: 'sealed', delay: 0 }
    const { messageId } = await sandbox.api('sendText', { body })
    assert.equal((await sandbox.world.shown(BOB, messageId)).text, 'sealed')
    const id = await sandbox.world.send(BOB, { to: OWNER, text: 'sealed too' })
    assert.equal((await sandbox.message(line, id)).content.text, 'sealed too')
  })

  test('media is uploaded over https', async () => {
    const body = {
      instanceName: line.name,
      number: BOB,
      type: 'image',
      mediaUrl: `${files.url}/photo.png`,
      delay: 0,
    }
    const { messageId } = await sandbox.api('sendMedia', { body })
    await sandbox.world.shown(BOB, messageId)
    const bytes = await sandbox.world.bytes(`/phones/${BOB}/messages/${messageId}/media`)
    assert.deepEqual(bytes, png(2, 2))
  })

  test('the profile picture and received media are downloaded over https', async () => {
    await sandbox.world.post(`/phones/${OWNER}/picture`, { base64: png(3, 3).toString('base64') })
    const picture = await sandbox.call('profilePicture', { query: { instanceName: line.name } })
    assert.equal(picture.status, 200)
    assert.deepEqual(Buffer.from(picture.bytes), png(3, 3))
    const media = { type: 'image', mimetype: 'image/png', base64: png(4, 4).toString('base64') }
    const id = await sandbox.world.send(BOB, { to: OWNER, media })
    assert.equal((await sandbox.message(line, id)).content.media.mimetype, 'image/png')
  })
})
