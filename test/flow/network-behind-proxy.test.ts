// The network behind the proxies of the server: its sandbox listens outside the loopback, because the loopback
// is always reached directly.
import assert from 'node:assert/strict'
import { networkInterfaces } from 'node:os'
import { after, before, describe, test } from 'node:test'
import { startSandbox } from '../../sandbox/sandbox.ts'
import { engines, type StoreLocation } from '../support/engines.ts'
import { api, ask, linkedInstance, newNumber, until, untilState, world } from '../support/linked.ts'
import { png } from '../support/sample-files.ts'
import { newKey } from '../support/started.ts'
import { type StartedHere, startHere } from '../support/started-here.ts'
import { startHttpProxy, startSocksProxy, type TunnelProxy } from '../support/tunnel-proxies.ts'

const LOGIN = { username: 'desk', password: 'p@ss:word/1' }
const SECRETS = [
  encodeURIComponent(LOGIN.password),
  LOGIN.password,
  Buffer.from('desk:p@ss:word/1').toString('base64'),
]
const HOST = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address
const skip = HOST === undefined && 'this machine has no IPv4 address outside the loopback'

describe('the network behind the proxies of the server', { skip }, () => {
  const [sqlite] = engines as [(typeof engines)[number]]
  const [key, sandboxKey] = [newKey(), newKey()]
  const [owner, bob] = [newNumber(), newNumber()]
  let storeLocation: StoreLocation
  let sandbox: Awaited<ReturnType<typeof startSandbox>>
  let proxy: TunnelProxy
  let own: TunnelProxy
  let gateway: StartedHere
  let line = ''
  const urlOf = (scheme: string, { port }: TunnelProxy, password = LOGIN.password) =>
    `${scheme}://${LOGIN.username}:${encodeURIComponent(password)}@127.0.0.1:${port}`
  async function start(more: Record<string, string>): Promise<void> {
    const network = { SANDBOX_URL: sandbox.url, SANDBOX_KEY: sandboxKey }
    gateway = await startHere(storeLocation, key, {
      ...network,
      ALLOW_TARGETS: '127.0.0.1',
      LOG_LEVEL: 'debug',
      ...more,
    })
  }
  async function restart(more: Record<string, string>): Promise<void> {
    await gateway.stop()
    for (const secret of SECRETS) assert.ok(!gateway.log().includes(secret), 'in the log')
    proxy.targets.splice(0)
    await start(more)
  }
  before(async () => {
    storeLocation = await sqlite.createLocation()
    const log = { info: () => undefined, error: () => undefined }
    sandbox = await startSandbox({
      host: HOST ?? '',
      port: 0,
      dataDir: undefined,
      apiKey: sandboxKey,
      tls: undefined,
      log,
    })
    proxy = await startHttpProxy(LOGIN)
    own = await startSocksProxy(LOGIN)
    await start({ http_proxy: urlOf('http', proxy) })
    await world(gateway, 'POST /phones', { number: bob })
  })
  after(async () => {
    await gateway.stop()
    await Promise.all([proxy.shut(), own.shut()])
    await sandbox.stop()
    await storeLocation.dispose()
  })

  test('an instance connects, uploads and downloads through the proxy', async () => {
    line = await linkedInstance(gateway, owner)
    const { host } = new URL(sandbox.url)
    assert.ok(proxy.targets.length > 0)
    const before = proxy.targets.length
    const upload = await fetch(`${gateway.url}/api/v1/media`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'image/png' },
      body: new Uint8Array(png(3, 3)),
    })
    const { mediaId } = (await upload.json()) as { mediaId: string }
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
    const { messageId } = await world(gateway, `POST /phones/${bob}/send`, { to: owner, media })
    const file = `GET /api/v1/messages/${messageId}/media?instanceName=${line}`
    await until('the file', async () => ((await ask(gateway, file)).status === 200 ? true : undefined))
    assert.ok(proxy.targets.length > uploaded, 'the download opened a tunnel')
    assert.deepEqual(new Set(proxy.targets), new Set([host]))
  })

  test('the proxy of the instance comes first', async () => {
    await api(gateway, `PATCH /instance/settings?instanceName=${line}`, { proxy: urlOf('socks5', own) })
    await until('a tunnel through the proxy of the instance', async () =>
      own.targets.length > 0 ? true : undefined,
    )
    await untilState(gateway, line, 'open')
    await api(gateway, `PATCH /instance/settings?instanceName=${line}`, { proxy: null })
  })

  test('a proxy that refuses is a state of the instance', async () => {
    await restart({ HTTP_PROXY: urlOf('http', proxy, 'wrong') })
    await untilState(gateway, line, 'connecting/proxy_refused')
    assert.deepEqual(proxy.targets, [])
  })

  test('a host in NO_PROXY is reached directly', async () => {
    await restart({ HTTP_PROXY: urlOf('http', proxy, 'wrong'), NO_PROXY: `other.test,${HOST}` })
    await untilState(gateway, line, 'open')
    assert.deepEqual(proxy.targets, [])
  })
})
