// The proxy of an instance: every connection to the network goes through it, and its failures are states of the instance.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { behaviourCases } from '../support/behaviour-engines.ts'
import { runCliHere, settingsOf } from '../support/cli.ts'
import { withDatabase } from '../support/database.ts'
import type { StoreLocation } from '../support/engines.ts'
import { api, ask, newInstance, newNumber, until, untilState, world } from '../support/linked.ts'
import { png } from '../support/sample-files.ts'
import { onSharedSandbox } from '../support/shared-sandbox.ts'
import { newKey } from '../support/started.ts'
import { type StartedHere, startHere } from '../support/started-here.ts'
import { startHttpProxy, startSocksProxy, type TunnelProxy } from '../support/tunnel-proxies.ts'

const LOGIN = { username: 'desk', password: 'p@ss:word/1' }
const SECRETS = [
  LOGIN.password,
  encodeURIComponent(LOGIN.password),
  Buffer.from('desk:p@ss:word/1').toString('base64'),
]
const ENVIRONMENT = { ALLOW_TARGETS: '127.0.0.1', LOG_LEVEL: 'debug' }
const KINDS = [
  { scheme: 'http', start: startHttpProxy },
  { scheme: 'socks5', start: startSocksProxy },
] as const

for (const {
  engine,
  variant: { scheme, start },
} of behaviourCases(KINDS))
  describe(`an instance behind a ${scheme} proxy on ${engine.name}`, () => {
    const [owner, bob] = [newNumber(), newNumber()]
    const key = newKey()
    let storeLocation: StoreLocation
    let gateway: StartedHere
    let proxy: TunnelProxy
    let line = ''
    const logs: string[] = []
    const urlOf = (password = LOGIN.password) =>
      `${scheme}://${LOGIN.username}:${encodeURIComponent(password)}@127.0.0.1:${proxy.port}`
    const setProxy = (value: string | null) =>
      api(gateway, `PATCH /instance/settings?instanceName=${line}`, { proxy: value })
    const shownProxy = async () =>
      (await api(gateway, `GET /instance/settings?instanceName=${line}`)).settings.proxy as string | null
    /** What the doctor finds about the proxies. */
    const doctor = async (): Promise<{ status: string; found: string }[]> => {
      const environment = { ...settingsOf(storeLocation), ALLOW_TARGETS: '127.0.0.1' }
      const { stdout, stderr, json } = await runCliHere(
        ['doctor', '--json', '--url', gateway.url],
        environment,
      )
      for (const secret of SECRETS) assert.ok(!(stdout + stderr).includes(secret))
      return json.findings.filter(({ check }: { check: string }) => check === 'proxies')
    }
    before(async () => {
      storeLocation = await engine.createLocation()
      proxy = await start(LOGIN)
      gateway = await startHere(storeLocation, key, { ...ENVIRONMENT, ...(await onSharedSandbox()) })
      await world(gateway, 'POST /phones', { number: bob })
      line = await newInstance(gateway)
    })
    after(async () => {
      await gateway.stop()
      await proxy.shut()
      await storeLocation.dispose()
    })

    test('wrong credentials are a state of their own, also while pairing', async () => {
      await untilState(gateway, line, 'connecting/awaiting_scan')
      await setProxy(urlOf('wrong'))
      await untilState(gateway, line, 'connecting/proxy_refused')
      assert.deepEqual(proxy.targets, [])
    })

    test('with the right credentials the instance pairs at once, through the proxy', async () => {
      await setProxy(urlOf())
      await untilState(gateway, line, 'connecting/awaiting_scan')
      assert.ok(proxy.targets.length > 0)
      await world(gateway, 'POST /phones', { number: owner })
      await world(gateway, `POST /phones/${owner}/scan`, { instanceName: line })
      await untilState(gateway, line, 'open')
    })

    test('files are uploaded and downloaded through the proxy', async () => {
      const upload = await fetch(`${gateway.url}/api/v1/media`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'image/png' },
        body: new Uint8Array(png(3, 3)),
      })
      const { mediaId } = (await upload.json()) as { mediaId: string }
      const before = proxy.targets.length
      const sent = await api(gateway, 'POST /send/media', {
        instanceName: line,
        number: bob,
        type: 'image',
        mediaId,
      })
      await world(gateway, `GET /phones/${bob}/messages/${sent.messageId}?waitMs=30000`)
      assert.ok(proxy.targets.length > before, 'the upload opened a tunnel')
      const uploaded = proxy.targets.length
      const media = { type: 'image', base64: png(5, 5).toString('base64'), mimetype: 'image/png' }
      const { messageId: id } = await world(gateway, `POST /phones/${bob}/send`, { to: owner, media })
      const file = `GET /api/v1/messages/${id}/media?instanceName=${line}`
      await until('the file', async () => ((await ask(gateway, file)).status === 200 ? true : undefined))
      assert.ok(proxy.targets.length > uploaded, 'the download opened a tunnel')
    })

    test('an unreachable proxy is a state, and the instance recovers by itself', async () => {
      await proxy.shut()
      await untilState(gateway, line, 'connecting/proxy_unreachable')
      const accepted = await api(gateway, 'POST /send/text', {
        instanceName: line,
        number: bob,
        message: 'later',
      })
      const ill = await doctor()
      assert.deepEqual(
        ill.map(({ status }) => status),
        ['wrong'],
      )
      assert.match(ill[0]?.found ?? '', /the proxy does not answer/)
      await proxy.open()
      assert.deepEqual(
        (await doctor()).map(({ status }) => status),
        ['ok'],
      )
      await untilState(gateway, line, 'open')
      await world(gateway, `GET /phones/${bob}/messages/${accepted.messageId}?waitMs=30000`)
    })

    test('the proxy is kept over a restart, and its credentials are never shown or stored in clear', async () => {
      const masked = `${scheme}://***@127.0.0.1:${proxy.port}`
      assert.equal(await shownProxy(), masked)
      await gateway.stop()
      logs.push(gateway.log())
      const before = proxy.targets.length
      gateway = await startHere(storeLocation, key, { ...ENVIRONMENT, ...(await onSharedSandbox()) })
      await untilState(gateway, line, 'open')
      assert.ok(proxy.targets.length > before)
      assert.equal(await shownProxy(), masked)
      logs.push(gateway.log())
      const rows = await withDatabase(storeLocation, (database) =>
        database.rows('select settings, sealed_proxy from instance_settings'),
      )
      const sealed = Buffer.from((rows[0] as { sealed_proxy: Uint8Array }).sealed_proxy).toString('latin1')
      for (const secret of SECRETS) {
        assert.ok(!logs.join().includes(secret), 'in a log')
        assert.ok(!sealed.includes(secret) && !JSON.stringify(rows[0]).includes(secret), 'in the database')
      }
    })

    test('without the proxy the instance connects directly again', async () => {
      await setProxy(null)
      await untilState(gateway, line, 'open')
      const before = proxy.targets.length
      const sent = await api(gateway, 'POST /send/text', {
        instanceName: line,
        number: bob,
        message: 'direct',
      })
      await world(gateway, `GET /phones/${bob}/messages/${sent.messageId}?waitMs=30000`)
      assert.equal(proxy.targets.length, before)
    })

    test('400 for a proxy on a host that is not allowed, or of another kind', async () => {
      for (const value of [
        'socks5://10.0.0.1:1080',
        'http://0x0a.1:80',
        'ftp://example.com',
        'socks4://a:1',
      ]) {
        const path = `PATCH /api/v1/instance/settings?instanceName=${line}`
        const { status, json } = await ask(gateway, path, { proxy: value })
        assert.deepEqual(
          [status, json.reason, json.details[0].path],
          [400, 'url_not_allowed', 'proxy'],
          value,
        )
        assert.ok(!json.error.includes('10.0.0.1'))
      }
    })
  })
