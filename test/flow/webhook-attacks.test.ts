// Hostile receivers gain nothing (attack list 4, 5, 6; promises C3, D2, E2).
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { Writable } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import { pino } from 'pino'
import { startApp } from '../../src/app/start.ts'
import { readSettings } from '../../src/config.ts'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import { AUTHORITY_FILE } from '../support/certificates.ts'
import { engines } from '../support/engines.ts'
import { type Account, callRoute, type Gateway, startGateway } from '../support/gateway.ts'
import { manualTime } from '../support/manual-time.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { createScriptedSessions, type ScriptedSessions } from '../support/scripted-sessions.ts'
import { startWebHost } from '../support/web-host.ts'

const MESSAGE = { number: '5511912345678', message: 'hi' }

for (const engine of behaviourEngines()) {
  describe(`hostile receivers on ${engine.name}`, () => {
    let gateway: Gateway
    let account: Account
    let instanceName = ''
    const receivers: Receiver[] = []
    before(async () => {
      // No post times out: a receiver that never answers holds its post for as long as a busy machine needs.
      gateway = await startGateway(engine, {}, { outboundTimers: manualTime().timers })
      account = await gateway.account()
      instanceName = (await gateway.openInstance(account)).name
    })
    after(async () => {
      for (const receiver of receivers) await receiver.close()
      await gateway.stop()
    })

    const hook = async (answer: (response: ServerResponse) => void) => {
      const receiver = await startReceiver()
      receivers.push(receiver)
      receiver.answer = answer
      const made = await account.call('saveWebhook', { body: { url: receiver.url } })
      return { receiver, id: made.json.webhook.id as number }
    }
    const testOf = async (id: number) => (await account.call('testWebhook', { params: { id } })).json
    const happen = () => account.call('sendText', { body: { instanceName, ...MESSAGE } })

    test('a redirect is a failed try, and its target gets no request', async () => {
      const inside = await startWebHost((_request, response) => void response.end('secret'))
      for (const status of [301, 302, 303, 307, 308]) {
        const { id } = await hook(
          (response) => void response.writeHead(status, { location: `${inside.url}/x` }).end(),
        )
        const { delivered, attempt } = await testOf(id)
        assert.equal(delivered, false)
        assert.equal(
          attempt.error,
          `The receiver answered with a redirect (${status}), which is never followed.`,
        )
      }
      assert.equal(inside.connections(), 0)
      await inside.close()
    })

    test('a receiver that floods, resets or does not speak HTTP fails, and little of its answer is read', async () => {
      const flood = await hook((response) => {
        const chunk = Buffer.alloc(64 * 1024, 'x')
        const pour = () => {
          while (!response.destroyed && response.write(chunk));
          if (!response.destroyed) response.once('drain', pour)
        }
        response.on('error', () => undefined)
        pour()
      })
      const flooded = await testOf(flood.id)
      assert.deepEqual(
        [flooded.delivered, flooded.attempt.error, flooded.attempt.answer.length],
        [false, 'The answer is longer than 64 KiB.', 4096],
      )
      const reset = await hook((response) => void response.socket?.destroy())
      assert.equal((await testOf(reset.id)).attempt.error, 'The host closed the connection unexpectedly.')
      const babble = await hook((response) => void response.socket?.end('nonsense\r\n\r\n'))
      const babbled = await testOf(babble.id)
      assert.deepEqual([babbled.delivered, babbled.attempt.status], [false, null])
    })

    test('receivers that never answer do not delay the others', async () => {
      const silent = [await hook(() => undefined), await hook(() => undefined), await hook(() => undefined)]
      const lively = await hook((response) => void response.end())
      for (let count = 0; count < 20; count += 1) await happen()
      await lively.receiver.until(20)
      const sequences = lively.receiver.received.map(({ json }) => json.sequence as number)
      assert.deepEqual(
        sequences,
        sequences.toSorted((a, b) => a - b),
      )
      for (const { receiver } of silent)
        assert.ok(receiver.received.length <= 1, 'one first try of a lane at a time')
    })

    test('a receiver that never answers has at most four open posts, however many instances have events', async () => {
      const own = await gateway.account()
      const names: string[] = []
      for (let count = 0; count < 6; count += 1) names.push((await gateway.openInstance(own)).name)
      const receiver = await startReceiver()
      receivers.push(receiver)
      const held: ServerResponse[] = []
      receiver.answer = (response) => void held.push(response)
      await own.call('saveWebhook', { body: { url: receiver.url } })
      for (const name of names) await own.call('sendText', { body: { instanceName: name, ...MESSAGE } })
      await receiver.until(4)
      // The worker has looked again by the time that another receiver's post, caused later, has arrived.
      const other = await hook((response) => void response.end())
      await happen()
      await other.receiver.until(1)
      assert.equal(held.length, 4)
      held.pop()?.end()
      await receiver.until(5)
      assert.equal(held.length, 4)
    })

    for (const url of [
      'http://hooks.example.com/hook',
      'file:///etc/passwd',
      'https://user:pass@receiver.test/',
      'https://receiver.test:0/',
      'https://127.0.0.1/',
      'https://2130706433/',
      'https://0x7f.1/',
      'https://[::ffff:127.0.0.1]/',
      'https://169.254.169.254/latest/meta-data',
      'https://localhost/',
    ])
      test(`400: ${url} is refused for a new webhook and for a changed one`, async () => {
        const made = await account.call('saveWebhook', { body: { url } })
        assert.deepEqual([made.status, made.json.reason], [400, 'url_not_allowed'])
        const { id } = await hook((response) => void response.end())
        const changed = await account.call('saveWebhook', { body: { id, url } })
        assert.deepEqual([changed.status, changed.json.reason], [400, 'url_not_allowed'])
      })
  })
}

describe('rebinding and secrets', () => {
  /** A gateway whose log is read and whose name server is a test's. */
  async function start(resolve: (hostname: string) => string) {
    const [engine] = engines
    assert.ok(engine)
    const storeLocation = await engine.createLocation()
    let log = ''
    const sink = new Writable({
      write(chunk: Buffer, _encoding, done) {
        log += chunk.toString()
        done()
      },
    })
    const key = 'canary-api-key-0123456789abcdef0123456789'
    const settings = readSettings({
      PORT: '0',
      DATA_DIR: storeLocation.directory,
      DATABASE_URL: storeLocation.databaseUrl,
      API_KEY: key,
      LOG_LEVEL: 'trace',
      ALLOW_TARGETS: '127.0.0.1',
      EXTRA_CA_FILE: AUTHORITY_FILE,
    })
    let sessions: ScriptedSessions | undefined
    const app = await startApp(settings, pino({ level: 'trace' }, sink), {
      resolver: async (hostname) => [resolve(hostname)],
      createSessions: (store) => (sessions = createScriptedSessions(store)),
    })
    const call: Account['call'] = (id, input = {}) => callRoute(app.url, id, { key, ...input })
    const created = await call('createInstance', { body: { instanceName: 'Support' } })
    const { id, apiInstanceName } = created.json.instance
    await sessions?.open(id, '5511900000001')
    const stop = async () => {
      await app.stop()
      await storeLocation.dispose()
    }
    return { call, key, log: () => log, instanceName: apiInstanceName as string, stop }
  }

  test('a name that resolves to a private address at the time of the post is refused', async () => {
    const inside = await startWebHost((_request, response) => void response.end('secret'), {
      tls: 'trusted',
      host: '127.0.0.2',
    }).catch(() => undefined)
    const running = await start(() => '127.0.0.2')
    const url = `https://receiver.test:${inside?.port ?? 443}/hook`
    const made = await running.call('saveWebhook', { body: { url } })
    assert.equal(made.status, 200, 'its form does not show whose it is')
    const tested = await running.call('testWebhook', { params: { id: made.json.webhook.id } })
    assert.deepEqual(
      [tested.json.delivered, tested.json.attempt.error],
      [false, 'The URL points to a host that is not allowed.'],
    )
    assert.equal(inside?.connections() ?? 0, 0)
    await running.stop()
    await inside?.close()
  })

  test('no log line, body or header of a delivery contains a key or a secret', async () => {
    const receiver = await startReceiver()
    const running = await start(() => '127.0.0.1')
    const own = 'canary secret of our own'
    const made = await running.call('saveWebhook', { body: { url: receiver.url, secret: own } })
    const { id } = made.json.webhook
    const rotated = await running.call('rotateWebhookSecret', { params: { id } })
    const next: string = rotated.json.webhook.secret
    const body = { instanceName: running.instanceName, ...MESSAGE }
    receiver.answer = (response) => void response.writeHead(500, { 'Retry-After': '1' }).end(own)
    await running.call('sendText', { body })
    await receiver.until(1)
    receiver.answer = (response) => void response.end()
    await running.call('testWebhook', { params: { id } })
    await receiver.until(3)
    const list = await running.call('listDeliveries', { params: { id } })
    assert.equal(list.json.count, 1)
    const detail = await running.call('getDelivery', {
      params: { id, deliveryId: list.json.deliveries[0].id },
    })
    await running.stop()
    await receiver.close()
    const sent = receiver.received.map(({ body: text, headers }) => text + JSON.stringify(headers)).join('\n')
    const shown = JSON.stringify(
      detail.json.delivery.attempts.map((each: { headers: object }) => each.headers),
    )
    assert.ok(running.log().length > 0)
    for (const secret of [own, next, next.slice('whsec_'.length), running.key])
      for (const [where, words] of Object.entries({ log: running.log(), sent, shown }))
        assert.ok(!words.includes(secret), `a secret is in the ${where}`)
  })
})
