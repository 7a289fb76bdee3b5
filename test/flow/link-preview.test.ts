// Link previews: fetched for a text that asks for one, shown on the phone, and never the reason why a text is not sent.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { png } from '../support/sample-files.ts'
import { type PairedInstance, type SandboxWorld, startSandboxWorld } from '../support/sandbox-world.ts'
import { startWebHost, type WebHost } from '../support/web-host.ts'

const PAGES: Record<string, { type: string; body: string | Buffer }> = {
  '/shop': {
    type: 'text/html; charset=utf-8',
    body: `<title>x</title><meta property="og:title" content="Sapatos &amp; mais">
      <meta property="og:description" content="De 49"><meta property="og:image" content="/shoe.png">`,
  },
  '/latin': {
    type: 'text/html; charset=iso-8859-1',
    body: Buffer.from('<title>Caf\xe9</title>', 'latin1'),
  },
  '/bomb': {
    type: 'text/html',
    body: '<title>Bomb</title><meta property="og:image" content="/bomb.png">',
  },
  '/inside': {
    type: 'text/html',
    body: '<title>Inside</title><meta property="og:image" content="http://169.254.169.254/secret.png">',
  },
  '/shoe.png': { type: 'image/png', body: png(200, 100) },
  '/bomb.png': { type: 'image/png', body: png(16_384, 16_384) },
  '/file': { type: 'application/pdf', body: '<title>No page</title>' },
}
const [OWNER, BOB] = ['5511955550001', '5511955550002']

describe('a link preview', () => {
  let sandbox: SandboxWorld
  let host: WebHost
  let line: PairedInstance
  const requested: string[] = []
  before(async () => {
    host = await startWebHost((request, response) => {
      requested.push(request.url ?? '')
      // A host that never answers.
      if (request.url === '/silent') return
      const page = PAGES[request.url ?? '']
      response.writeHead(page ? 200 : 404, { 'content-type': page?.type ?? 'text/html' })
      response.end(page?.body ?? '<title>Not found</title>')
    })
    sandbox = await startSandboxWorld()
    await sandbox.world.phone(BOB, 'Bob')
    line = await sandbox.pair(OWNER)
  })
  after(async () => {
    await sandbox.stop()
    await host.close()
  })

  const sent = async (message: string, more: object = { linkPreview: true }) => {
    const body = { instanceName: line.name, number: BOB, delay: 0, message, ...more }
    const { messageId } = await sandbox.api('sendText', { body })
    return sandbox.world.shown(BOB, messageId)
  }

  test('shows title, description and picture of the first link, once for several messages', async () => {
    const link = `${host.url}/shop`
    for (const message of [`Look: ${link}!`, `And again ${link} ${host.url}/other`]) {
      const { text, preview } = await sent(message)
      assert.equal(text, message)
      const { thumbnailBytes = 0, ...card } = preview ?? {}
      assert.deepEqual(card, { url: link, title: 'Sapatos & mais', description: 'De 49' })
      assert.ok(thumbnailBytes > 100)
    }
    assert.deepEqual(requested.splice(0), ['/shop', '/shoe.png'])
  })

  test('reads the character set of the page', async () => {
    assert.equal((await sent(`${host.url}/latin`)).preview?.title, 'Café')
  })

  test('has no picture when it is a bomb or at an address that is not allowed', async () => {
    for (const path of ['/bomb', '/inside'])
      assert.equal((await sent(host.url + path)).preview?.thumbnailBytes, 0, path)
  })

  test('is left out when there is no page, no link, no answer or a host that is not allowed', async () => {
    for (const message of [
      'no link',
      `${host.url}/missing`,
      `${host.url}/file`,
      `${host.url}/silent`,
      'http://169.254.169.254/latest/meta-data',
    ]) {
      const { text, preview } = await sent(message)
      assert.deepEqual([text, preview], [message, undefined])
    }
  })

  test('is fetched only on request', async () => {
    requested.length = 0
    for (const more of [{}, { linkPreview: false }])
      assert.equal((await sent(`${host.url}/shop?${Object.keys(more).length}`, more)).preview, undefined)
    assert.deepEqual(requested, [])
  })
})
