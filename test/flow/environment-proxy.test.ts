// The proxies of the server: requests of the outbound client through a real proxy, what is still refused before the proxy gets a request,
// and what a proxy's refusal is called.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { createOutbound, type Outbound, type OutboundOptions } from '../../src/kernel/outbound/client.ts'
import { createObjectClient } from '../../src/kernel/outbound/object-client.ts'
import type { ProxyAddress } from '../../src/kernel/outbound/proxy-address.ts'
import { authority } from '../support/certificates.ts'
import { temporaryDirectory } from '../support/engines.ts'
import { png } from '../support/sample-files.ts'
import { startHttpProxy, type TunnelProxy } from '../support/tunnel-proxies.ts'
import { startWebHost, type WebHost } from '../support/web-host.ts'

const LOGIN = { username: 'desk', password: 'p@ss:word/1' }
const SECRET = Buffer.from(`${LOGIN.username}:${LOGIN.password}`).toString('base64')
/** The name in the test certificate. */
const NAME = 'receiver.test'
/** A public address, which the proxy of the test leads to this machine. */
const PUBLIC = '93.184.0.1'
const PICTURE = png(3, 3)

describe('the proxies of the server', () => {
  let secure: WebHost
  let plain: WebHost
  let proxy: TunnelProxy
  const opened: Outbound[] = []
  before(async () => {
    const answer: Parameters<typeof startWebHost>[0] = (request, response) => {
      request.resume()
      response.setHeader('content-type', 'image/png')
      response.end(PICTURE)
    }
    secure = await startWebHost(answer, { tls: 'trusted' })
    plain = await startWebHost(answer)
    const names = {
      [NAME]: '127.0.0.1',
      [PUBLIC]: '127.0.0.1',
      'private.test': '127.0.0.1',
      'unknown.test': '127.0.0.1',
    }
    proxy = await startHttpProxy(LOGIN, undefined, names)
  })
  beforeEach(() => proxy.targets.splice(0))
  after(async () => {
    for (const outbound of opened) await outbound.close()
    await proxy.shut()
    await Promise.all([secure.close(), plain.close()])
  })

  const address = (more: Partial<ProxyAddress> = {}): ProxyAddress => ({
    scheme: 'http',
    hostname: '127.0.0.1',
    port: proxy.port,
    ...LOGIN,
    ...more,
  })
  const RESOLVED: Record<string, string> = { [NAME]: PUBLIC, 'private.test': '10.0.0.1' }
  async function open(
    given: ProxyAddress,
    more: Partial<OutboundOptions> = {},
    exempt = '',
  ): Promise<Outbound> {
    const outbound = createOutbound({
      allowTargets: [],
      extraCa: [authority()],
      directory: await temporaryDirectory(),
      resolver: async (name) => {
        const found = RESOLVED[name]
        if (found === undefined) throw new Error('unknown name')
        return [found]
      },
      limits: { retryPausesMs: [], connectMs: 60_000 },
      proxies: { http: given, https: given, exempt },
      ...more,
    })
    opened.push(outbound)
    return outbound
  }
  const post = (outbound: Outbound, host: string, port = secure.port) =>
    outbound.post({
      url: `https://${host}:${port}/hook`,
      headers: { 'content-type': 'application/json' },
      body: '{}',
      signal: new AbortController().signal,
    })
  const download = (outbound: Outbound, host: string, scheme: 'http' | 'https' = 'http') =>
    outbound.download({
      accountId: 1,
      url: `${scheme}://${host}:${scheme === 'http' ? plain.port : secure.port}/picture.png`,
      kind: 'image',
    })

  test('webhooks are posted through the proxy, which gets the name of the host', async () => {
    const outcome = await post(await open(address()), NAME)
    assert.ok('status' in outcome && outcome.status === 200, JSON.stringify(outcome))
    assert.deepEqual(proxy.targets, [`${NAME}:${secure.port}`])
  })

  test('files are downloaded through the proxy; without TLS it gets the address that was checked', async () => {
    const outbound = await open(address())
    const file = await download(outbound, NAME)
    assert.ok('path' in file, JSON.stringify(file))
    assert.equal(file.sizeBytes, PICTURE.length)
    await file.release()
    assert.deepEqual(proxy.targets, [`${PUBLIC}:${plain.port}`])
  })

  test('a name that only the proxy resolves works with TLS, and not without', async () => {
    const outbound = await open(address())
    const outcome = await post(outbound, 'unknown.test')
    // The proxy leads to a host without a certificate for the name.
    assert.ok('error' in outcome && outcome.error === 'tls', JSON.stringify(outcome))
    assert.deepEqual(proxy.targets.splice(0), [`unknown.test:${secure.port}`])
    assert.deepEqual(await download(outbound, 'unknown.test'), {
      failed: 'media_unavailable',
      message: 'The host name could not be resolved.',
    })
    assert.deepEqual(proxy.targets, [])
  })

  test('private addresses, names of them and names of this machine are refused before the proxy gets a request', async () => {
    const outbound = await open(address())
    for (const host of [
      '10.0.0.1',
      '[::ffff:10.0.0.1]',
      'localhost',
      '127.0.0.1',
      'private.test',
      '0x7f.1',
    ]) {
      const outcome = await post(outbound, host)
      assert.ok('error' in outcome && outcome.error === 'not_allowed', `${host}: ${JSON.stringify(outcome)}`)
      assert.ok('failed' in (await download(outbound, host)), host)
    }
    assert.deepEqual(proxy.targets, [])
  })

  test('hosts in NO_PROXY are reached directly, and their addresses are checked as without a proxy', async () => {
    const direct = await open(address(), { allowTargets: [NAME], resolver: async () => ['127.0.0.1'] }, NAME)
    const outcome = await post(direct, NAME)
    assert.ok('status' in outcome && outcome.status === 200, JSON.stringify(outcome))
    const refused = await post(await open(address(), { resolver: async () => ['127.0.0.1'] }, NAME), NAME)
    assert.ok('error' in refused && refused.error === 'not_allowed')
    assert.deepEqual(proxy.targets, [])
  })

  test('a proxy that refuses or does not answer is named in the error, without its address and credentials', async () => {
    const failures: [ProxyAddress, RegExp][] = [
      [address({ password: 'wrong' }), /^The proxy of the gateway .*refused the credentials.*status 407/],
      [address({ port: 1 }), /^The proxy of the gateway .*does not answer/],
    ]
    for (const [given, expected] of failures) {
      const outcome = await post(await open(given), NAME)
      assert.ok('error' in outcome && outcome.error === 'proxy', JSON.stringify(outcome))
      assert.match(outcome.message, expected)
      for (const part of [LOGIN.username, 'wrong', SECRET, '127.0.0.1'])
        assert.ok(!JSON.stringify(outcome).includes(part), part)
    }
  })

  test('the object store of received files is reached through the proxy', async () => {
    const client = createObjectClient({
      endpoint: `https://${NAME}:${secure.port}`,
      bucket: 'media',
      region: 'eu-central-1',
      accessKey: 'a',
      secretKey: 's',
      extraCa: [authority()],
      proxies: { http: undefined, https: address(), exempt: '' },
    })
    assert.deepEqual(Buffer.from((await client.get('file')) ?? []), Buffer.from(PICTURE))
    assert.deepEqual(proxy.targets, [`${NAME}:${secure.port}`])
    await client.close()
  })
})
