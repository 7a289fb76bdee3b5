import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import https from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { downloadMediaMessage, type UserFacingSocketConfig } from 'baileys'
import { Agent } from 'undici'
import { answers } from '../../src/contract/sandbox-world.ts'
import { Client } from './support/client.ts'
import { PNG } from './support/content.ts'
import { World } from './support/world.ts'

const ALICE = '5511900000001'
const BOB = '5511900000002'

/** A certificate for the loopback address; undefined when openssl is missing. */
function makeCertificate(directory: string): { certFile: string; keyFile: string } | undefined {
  const certFile = join(directory, 'cert.pem')
  const keyFile = join(directory, 'key.pem')
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', keyFile]
  const subject = ['-subj', '/CN=sandbox', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2']
  try {
    execFileSync('openssl', ['req', '-x509', ...key, '-out', certFile, ...subject], { stdio: 'ignore' })
    return { certFile, keyFile }
  } catch {
    return undefined
  }
}

test('with a certificate, clients that verify TLS connect and transfer media without changes', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'sandbox-tls-'))
  t.after(() => rmSync(directory, { recursive: true }))
  const tls = makeCertificate(directory)
  if (!tls) return t.skip('openssl is not installed')
  const ca = readFileSync(tls.certFile)
  const dispatcher = new Agent({ connect: { ca } })
  const world = await World.start({ tls, dispatcher })
  assert.match(world.sandbox.wsUrl, /^wss:/)
  assert.match(world.sandbox.url, /^https:/)
  const config: Partial<UserFacingSocketConfig> = {
    agent: new https.Agent({ ca }),
    fetchAgent: new https.Agent({ ca }),
    options: { dispatcher } as unknown as RequestInit,
  }
  await world.phone(ALICE, 'Alice')
  await world.phone(BOB, 'Bob')
  const client = await new Client(world, config).pair(ALICE)
  const image = { image: PNG, jpegThumbnail: '' }
  const sent = await client.socket.sendMessage(`${BOB}@s.whatsapp.net`, image)
  const shown = await world.shown(BOB, sent?.key.id ?? '')
  assert.ok((await world.bytes(`/phones/${BOB}/messages/${shown.id}/media`)).equals(PNG))
  const media = { type: 'image', base64: PNG.toString('base64') }
  const back = await client.message(await world.send(BOB, { to: ALICE, media }))
  assert.ok((await downloadMediaMessage(back, 'buffer', { options: config.options ?? {} })).equals(PNG))
  assert.equal((await world.get('/network', answers.network)).wsUrl, world.sandbox.wsUrl)
  await client.end()
  await world.stop()
})
