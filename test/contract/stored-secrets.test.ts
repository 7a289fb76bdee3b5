// Secrets that are stored with a URL are sent to its origin only, whichever call changes the URL (decision 0191).
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { readSettings } from '../../src/config.ts'
import { readMasterKey } from '../../src/data-dir/secrets.ts'
import { readLiveSettings } from '../../src/instances/instance-settings.ts'
import { openVault } from '../../src/store/vault.ts'
import { startChatwootServer } from '../support/chatwoot-server.ts'
import { cloudClient, startCloudReceiver } from '../support/cloud.ts'
import { type Engine, engines } from '../support/engines.ts'
import { evolutionClient } from '../support/evolution.ts'
import { startGateway } from '../support/gateway.ts'
import { RECEIVER_HOST, type Receiver, startReceiver } from '../support/receiver.ts'
import { faultPaths, shared, UNLIMITED_PLAN } from './fixture.ts'

const GIVE_AGAIN = /must be given again, because (the URL|it) has another origin/

for (const engine of engines)
  describe(`secrets that are stored with a URL on ${engine.name}`, () => declare(engine))

function declare(engine: Engine): void {
  const closed: (() => Promise<unknown>)[] = []
  after(async () => {
    for (const close of closed) await close()
  })
  const stage = shared(async () => {
    const location = await engine.createLocation()
    const gateway = await startGateway(engine, { COMPAT: 'evolution,cloud' }, {}, location)
    closed.push(gateway.stop)
    const settings = readSettings({ DATA_DIR: location.directory })
    const masterKey = await readMasterKey(settings)
    assert.ok(masterKey)
    const vault = await openVault(gateway.store.db, masterKey)
    const mine = await gateway.account({ limits: UNLIMITED_PLAN })
    const evolution = evolutionClient(gateway.url, mine.key)
    return { ...gateway, vault, mine, evolution, cloud: cloudClient(gateway.url, mine.key) }
  })
  const receiver = async (): Promise<Receiver> => {
    const made = await startReceiver()
    closed.push(made.close)
    return made
  }

  describe('a webhook of the Evolution dialect with a header', () => {
    let count = 0
    const hooked = async () => {
      const { mine, evolution } = await stage()
      const name = `hooked-${(count += 1)}`
      assert.equal((await evolution('POST /instance/create', { instanceName: name })).status, 201)
      const [first, second] = [await receiver(), await receiver()]
      const set = (change: object) =>
        evolution(`POST /webhook/set/${name}`, { webhook: { enabled: true, ...change } })
      const made = await set({ url: first.url, headers: { authorization: 'Bearer secret' } })
      const id = Number(made.json.id)
      /** What a test delivery to this receiver has as the header. */
      const sentTo = async ({ received }: Receiver) => {
        const { json } = await mine.call('testWebhook', { params: { id } })
        assert.equal(json.delivered, true, JSON.stringify(json))
        return received.at(-1)?.headers.authorization
      }
      return { mine, id, first, second, set, sentTo, shown: () => evolution(`GET /webhook/find/${name}`) }
    }

    test('POST webhook/set: the mask keeps the header for its origin, and is refused for another one', async () => {
      const { first, second, set, sentTo, shown } = await hooked()
      const masked = { headers: { authorization: '***' } }
      assert.equal((await set({ url: `${first.url}/other`, ...masked })).status, 201)
      assert.equal(await sentTo(first), 'Bearer secret')
      for (const url of [second.url, first.url.replace(RECEIVER_HOST, 'example.com')]) {
        const refused = await set({ url, ...masked })
        assert.equal(refused.status, 400)
        const [message] = refused.json.response.message
        assert.match(message, GIVE_AGAIN)
        assert.match(message, /^webhook\.headers\.authorization: /)
      }
      assert.equal((await shown()).json.url, `${first.url}/other`)
      assert.equal((await set({ url: second.url, headers: { authorization: 'Bearer other' } })).status, 201)
      assert.equal(await sentTo(second), 'Bearer other')
    })

    test('POST webhook/set: without headers, none is sent to another origin', async () => {
      const { second, set, sentTo, shown } = await hooked()
      assert.equal((await set({ url: second.url })).status, 201)
      assert.equal(await sentTo(second), undefined)
      assert.deepEqual((await shown()).json.headers, {})
    })

    test('POST /webhooks: another origin drops the headers, another path keeps them', async () => {
      const { mine, id, first, second, sentTo, shown } = await hooked()
      const before = (await shown()).json
      await mine.call('saveWebhook', { body: { id, url: `${first.url}/other` } })
      assert.equal(await sentTo(first), 'Bearer secret')
      assert.equal((await mine.call('saveWebhook', { body: { id, url: second.url } })).status, 200)
      assert.equal(await sentTo(second), undefined)
      const moved = (await shown()).json
      const { updatedAt } = moved
      assert.deepEqual(moved, { ...before, url: second.url, headers: {}, updatedAt })
      await mine.call('saveWebhook', { body: { id, url: first.url } })
      assert.equal(await sentTo(first), undefined, 'the way back does not bring it back')
    })
  })

  describe('a webhook of the format cloud with its token', () => {
    test('POST /webhooks: the stored token is shown to its origin only', async () => {
      const { mine } = await stage()
      const [first, second] = [await startCloudReceiver('a-token'), await startCloudReceiver('a-token')]
      closed.push(first.close, second.close)
      const save = (body: object) => mine.call('saveWebhook', { body })
      const made = await save({ url: first.namedUrl, format: 'cloud', verifyToken: 'a-token' })
      const { id } = made.json.webhook
      assert.equal((await save({ id, url: `${first.namedUrl}?other` })).status, 200)
      for (const format of [{}, { format: 'cloud' }]) {
        const refused = await save({ id, url: second.namedUrl, ...format })
        assert.deepEqual([refused.status, faultPaths(refused)], [400, ['verifyToken']])
        assert.match(refused.json.details[0].message, GIVE_AGAIN)
      }
      assert.equal(second.handshakes.length, 0)
      assert.equal((await save({ id, url: second.namedUrl, verifyToken: 'a-token' })).status, 200)
    })

    test('POST subscribed_apps: no URL is accepted without its token', async () => {
      const gateway = await stage()
      const { name } = await gateway.openInstance(gateway.mine)
      const url = { override_callback_uri: 'https://example.com/' }
      const refused = await gateway.cloud(`POST /${name}/subscribed_apps`, url)
      assert.deepEqual([refused.status, refused.json.error.code], [400, 131008])
    })
  })

  const DESTINATIONS: [type: string, url: string, sameOrigin: string, others: string[]][] = [
    [
      'rabbitmq',
      'amqps://a.example.com/crm',
      'amqps://a.example.com/other',
      ['amqps://b.example.com/crm', 'amqps://a.example.com:5672/crm', `amqp://${RECEIVER_HOST}:5671/crm`],
    ],
    [
      'nats',
      'tls://a.example.com',
      'tls://a.example.com/',
      ['tls://b.example.com', 'tls://a.example.com:4333'],
    ],
    [
      'mqtt',
      'mqtts://a.example.com',
      'mqtts://a.example.com/',
      ['mqtts://b.example.com', 'mqtts://a.example.com:1883'],
    ],
    [
      'redis',
      'rediss://a.example.com/1',
      'rediss://a.example.com/2',
      ['rediss://b.example.com/1', 'rediss://a.example.com:7000/1'],
    ],
    [
      'sqs',
      'https://sqs.eu-central-1.amazonaws.com/1/a',
      'https://sqs.eu-central-1.amazonaws.com/1/b',
      ['https://sqs.eu-west-1.amazonaws.com/1/a', 'https://example.com/1/a'],
    ],
  ]
  for (const [type, url, sameOrigin, others] of DESTINATIONS)
    test(`POST /destinations of the type ${type}: the password is given again for another origin`, async () => {
      const { mine } = await stage()
      const save = (body: object) => mine.call('saveDestination', { body })
      const login = { username: 'name', password: 'secret' }
      const { id } = (await save({ type, url, ...login })).json.destination
      assert.equal((await save({ id, url: sameOrigin })).status, 200)
      for (const other of others) {
        const refused = await save({ id, url: other })
        assert.deepEqual([refused.status, faultPaths(refused)], [400, ['password']], other)
        assert.match(refused.json.details[0].message, GIVE_AGAIN)
      }
      const last = others.at(-1)
      assert.equal((await save({ id, url: last, password: 'another' })).status, 200)
    })

  test('POST /destinations: a scheme without TLS on the same host and port needs the password again', async () => {
    const { mine } = await stage()
    const save = (body: object) => mine.call('saveDestination', { body })
    const url = `amqps://${RECEIVER_HOST}:5671`
    const { id } = (await save({ type: 'rabbitmq', url, username: 'name', password: 'secret' })).json
      .destination
    const refused = await save({ id, url: url.replace('amqps', 'amqp') })
    assert.deepEqual([refused.status, faultPaths(refused)], [400, ['password']])
  })

  test('PUT /chatwoot/{instanceName}: another origin needs the token again, and gets another secret path', async () => {
    const gateway = await stage()
    const { name } = await gateway.openInstance(gateway.mine)
    const [first, second] = [await startChatwootServer(), await startChatwootServer()]
    closed.push(first.close, second.close)
    const named = ({ url }: { url: string }) => `https://${RECEIVER_HOST}:${new URL(url).port}/`
    const save = (body: object) =>
      gateway.mine.call('saveChatwoot', {
        params: { instanceName: name },
        body: { accountId: first.accountId, gatewayUrl: gateway.url, ...body },
      })
    assert.equal((await save({ url: named(first), token: first.token })).status, 200)
    const path = first.inboxes.at(-1)?.webhook_url
    assert.equal((await save({ url: named(first), enabled: true })).status, 200)
    assert.equal(first.inboxes.at(-1)?.webhook_url, path)
    const refused = await save({ url: named(second) })
    assert.deepEqual([refused.status, faultPaths(refused)], [400, ['token']])
    assert.match(refused.json.details[0].message, GIVE_AGAIN)
    const moved = await save({ url: named(second), accountId: second.accountId, token: second.token })
    assert.equal(moved.status, 200)
    const other = second.inboxes.at(-1)?.webhook_url
    assert.ok(path && other && path !== other, 'the first Chatwoot does not know the path of the second one')
  })

  describe('a proxy with credentials', () => {
    const PROXY = 'socks5://user:s%40cret@proxy.example.com:1080'
    const proxied = async () => {
      const { mine, evolution, store, vault, openInstance } = await stage()
      const { name, id } = await openInstance(mine)
      const change = (proxy: string) =>
        mine.call('updateSettings', { query: { instanceName: name }, body: { proxy } })
      assert.equal((await change(PROXY)).status, 200)
      const stored = async () => (await readLiveSettings({ store, vault }, id)).settings.proxy
      return { name, change, stored, evolution }
    }

    test('PATCH /instance/settings: the mask keeps them for their origin, and is refused for another one', async () => {
      const { change, stored } = await proxied()
      const masked = 'socks5://***@proxy.example.com'
      const answer = await change(masked)
      assert.deepEqual(
        [answer.status, answer.json.settings.proxy, await stored()],
        [200, `${masked}:1080`, PROXY],
      )
      for (const other of [
        'socks5://***@other.example.com:1080',
        `${masked}:1081`,
        'http://***@proxy.example.com:1080',
      ]) {
        const refused = await change(other)
        assert.deepEqual([refused.status, faultPaths(refused)], [400, ['proxy']], other)
        assert.match(refused.json.details[0].message, GIVE_AGAIN)
      }
      assert.equal(await stored(), PROXY)
      assert.equal((await change('socks5://other.example.com:1080')).status, 200)
      assert.equal(await stored(), 'socks5://other.example.com:1080')
    })

    test('POST proxy/set of the Evolution dialect: credentials that are not given are not sent', async () => {
      const { name, stored, evolution } = await proxied()
      const other = { enabled: true, host: 'other.example.com', port: '1080', protocol: 'socks5' }
      const refused = await evolution(`POST /proxy/set/${name}`, { ...other, username: '***', password: '' })
      assert.equal(refused.status, 400)
      assert.match(refused.json.response.message[0], GIVE_AGAIN)
      assert.equal((await evolution(`POST /proxy/set/${name}`, other)).status, 201)
      assert.equal(await stored(), 'socks5://other.example.com:1080')
    })
  })
}
