// The address guard at the API: URLs that are refused at once, and the settings of the guard (attack list 4, 7).
import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { readSettings, SettingsError } from '../../src/config.ts'
import { FORBIDDEN, SPELLINGS } from '../support/address-table.ts'
import { AUTHORITY_FILE } from '../support/certificates.ts'
import { engines, temporaryDirectory } from '../support/engines.ts'
import { type Account, type Answer, contract, startGateway } from '../support/gateway.ts'
import { startReceiver } from '../support/receiver.ts'

function assertRefused(answer: Answer, url: string, path: string): void {
  assert.equal(answer.status, 400, url)
  assert.equal(answer.json.reason, 'url_not_allowed', url)
  assert.equal(answer.json.details[0].path, path)
  assert.doesNotMatch(
    JSON.stringify([answer.json.error, answer.json.details]),
    /\d{2,}|::/,
    'no address is named',
  )
}

const saveWebhook = (account: Account, url: string) => account.call('saveWebhook', { body: { url } })

contract('attack 4: the URL of a webhook', (gateway) => {
  const forms = [
    'http://example.com/hook',
    'file:///etc/passwd',
    'ftp://example.com/',
    'https://user:secret@example.com/hook',
    'https://example.com:0/hook',
    'https://localhost/hook',
    'example.com/hook',
    'https://example.com/ho\tok',
    'https://example.com/hook\n',
    'https://exam\r\nple.com/hook',
    'https://example.com/my hook',
  ]
  for (const url of forms) {
    test(`400: ${JSON.stringify(url)}`, async () => {
      assertRefused(await saveWebhook(await (await gateway()).account(), url), url, 'url')
    })
  }

  test('400: every forbidden address', async () => {
    const account = await (await gateway()).account()
    for (const [address] of FORBIDDEN) {
      const url = `https://${address.includes(':') ? `[${address}]` : address}/hook`
      assertRefused(await saveWebhook(account, url), url, 'url')
    }
  })

  test('400: every spelling of a forbidden address; 200: a public one, stored as parsed', async () => {
    const account = await (await gateway()).account()
    for (const [written, host, allowed] of SPELLINGS) {
      const url = `https://${written}/hook`
      const answer = await saveWebhook(account, url)
      if (!allowed) assertRefused(answer, url, 'url')
      else assert.equal(answer.json.webhook.url, `https://${host}/hook`)
    }
  })

  test('400: an update to a forbidden address leaves the webhook unchanged', async () => {
    const account = await (await gateway()).account()
    const { id } = (await saveWebhook(account, 'https://example.com/hook')).json.webhook
    const url = 'https://169.254.169.254/latest/meta-data'
    assertRefused(await account.call('saveWebhook', { body: { id, url } }), url, 'url')
    const read = await account.call('getWebhook', { params: { id } })
    assert.equal(read.json.webhook.url, 'https://example.com/hook')
  })
})

contract('attack 7: the URL of a media file', (gateway) => {
  test('400: a path, a file, inline data, our own API, and every forbidden address', async () => {
    const { account: makeAccount, openInstance, url: own } = await gateway()
    const account = await makeAccount()
    const { name: instanceName } = await openInstance(account)
    const urls = [
      '/etc/passwd',
      'file:///etc/passwd',
      'data:image/png;base64,AAAA',
      `${own}/api/v1/instance/list`,
      own.replace('127.0.0.1', 'localhost'),
      'http://user:secret@example.com/a.png',
      'http://example.com/a\tb.png',
      'http://example.com/a.png\n',
      ' http://example.com/a.png',
      ...FORBIDDEN.map(([address]) => `http://${address.includes(':') ? `[${address}]` : address}/a.png`),
    ]
    for (const mediaUrl of urls) {
      const body = { instanceName, number: '5511912345678', type: 'image', mediaUrl }
      assertRefused(await account.call('sendMedia', { body }), mediaUrl, 'mediaUrl')
    }
    const listed = await account.call('listMessages')
    assert.equal(listed.json.count, 0)
  })

  test('400: on any card of a carousel', async () => {
    const { account: makeAccount, openInstance } = await gateway()
    const account = await makeAccount()
    const { name: instanceName } = await openInstance(account)
    const card = (mediaUrl: string) => ({
      header: { type: 'image', mediaUrl },
      body: 'Card',
      buttons: [{ buttonId: 'a', buttonText: { displayText: 'A' }, type: 1 }],
    })
    const cards = [card('https://example.com/a.png'), card('http://10.0.0.1/a.png')]
    const body = {
      instanceName,
      number: '5511912345678',
      interactive: { type: 'carousel', body: 'Cards', cards },
    }
    const answer = await account.call('sendCarousel', { body })
    assert.equal(answer.status, 400)
    assert.equal(answer.json.reason, 'url_not_allowed')
  })
})

describe('the settings of the outbound client', () => {
  const [engine] = engines
  assert.ok(engine)

  test('ALLOW_TARGETS permits a named private target, but never PUBLIC_URL', async () => {
    const gateway = await startGateway(engine, {
      ALLOW_TARGETS: '10.0.0.0/8, internal.example, ::1',
      PUBLIC_URL: 'https://gateway.example',
      EXTRA_CA_FILE: AUTHORITY_FILE,
    })
    try {
      const account = await gateway.account()
      for (const url of ['https://10.1.2.3/', 'https://[::1]/', 'https://internal.example/']) {
        assert.equal((await saveWebhook(account, url)).status, 200, url)
      }
      for (const url of [
        'https://127.0.0.1/',
        'https://11.0.0.1:0/',
        'https://gateway.example/api/v1/webhooks',
      ]) {
        assert.equal((await saveWebhook(account, url)).status, 400, url)
      }
    } finally {
      await gateway.stop()
    }
  })

  test('no address that the gateway listens on is a target, even with ALLOW_TARGETS', async () => {
    const gateway = await startGateway(
      engine,
      { ALLOW_TARGETS: '127.0.0.0/8, 0.0.0.0, ::1, ::ffff:0:0/96, localhost, receiver.test' },
      { resolver: async () => ['127.0.0.1'] },
    )
    const receiver = await startReceiver()
    try {
      const account = await gateway.account()
      const { name: instanceName } = await gateway.openInstance(account)
      const { port } = new URL(gateway.url)
      const hosts = ['127.0.0.1', '127.1', '2130706433', '[::ffff:127.0.0.1]', '0.0.0.0', '[::]', 'localhost']
      for (const host of hosts) {
        assertRefused(await saveWebhook(account, `https://${host}:${port}/`), host, 'url')
        const mediaUrl = `http://${host}:${port}/healthz`
        const body = { instanceName, number: '5511912345678', type: 'document', mediaUrl }
        assertRefused(await account.call('sendMedia', { body }), host, 'mediaUrl')
      }
      // By its name alone nothing is wrong with this one: what it resolves to is judged at each connect.
      const tried = async (url: string) => {
        const { id } = (await saveWebhook(account, url)).json.webhook
        return (await account.call('testWebhook', { params: { id } })).json.attempt
      }
      const own = await tried(`https://receiver.test:${port}/`)
      assert.equal(own.error, 'The URL points to a host that is not allowed.')
      assert.equal((await tried(receiver.url)).status, 200, 'the same address on another port')
      assert.equal((await tried(`https://127.0.0.1:${receiver.port}/`)).status, 200)
    } finally {
      await receiver.close()
      await gateway.stop()
    }
  })

  for (const value of ['10.0.0.0/33', 'https://a', 'a,,b', 'host:80', '256.1.1.1']) {
    test(`ALLOW_TARGETS=${value} is reported as invalid`, () => {
      assert.throws(() => readSettings({ ALLOW_TARGETS: value }), /ALLOW_TARGETS/)
    })
  }

  test('an EXTRA_CA_FILE that is missing, empty or broken is reported as invalid', async () => {
    const storeLocation = await engine.createLocation()
    const directory = await temporaryDirectory()
    const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'
    const files = { missing: undefined, empty: 'no certificate', broken }
    for (const [name, text] of Object.entries(files)) {
      const path = join(directory, name)
      if (text !== undefined) await writeFile(path, text)
      await assert.rejects(
        startGateway(engine, { EXTRA_CA_FILE: path }, {}, storeLocation),
        (error: Error) => {
          assert.ok(error instanceof SettingsError)
          assert.match(error.message, /EXTRA_CA_FILE: /)
          return true
        },
      )
    }
    await rm(directory, { recursive: true })
    await storeLocation.dispose()
  })
})
