// Addresses of both families: what the server listens on and prints, the command line, the sandbox network and
// outgoing connections.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { startSandbox } from '../../sandbox/sandbox.ts'
import { createOutbound, type Outbound } from '../../src/kernel/outbound/client.ts'
import { authority } from '../support/certificates.ts'
import { runCliHere, settingsOf } from '../support/cli.ts'
import { engines, temporaryDirectory } from '../support/engines.ts'
import { skipWithoutIpv6 as skip } from '../support/ipv6.ts'
import { api, ask, linkedInstance, newNumber, until, world } from '../support/linked.ts'
import { png } from '../support/sample-files.ts'
import { onSharedSandbox } from '../support/shared-sandbox.ts'
import { newKey } from '../support/started.ts'
import { startHere } from '../support/started-here.ts'
import { startWebHost } from '../support/web-host.ts'

const [sqlite] = engines as [(typeof engines)[number]]

describe('the server and IPv6', { skip }, () => {
  /** With the key of this gateway: another program may have the same port of the other family. */
  const answers = (host: string, port: string, key: string) =>
    ask({ url: `http://${host}:${port}`, key }, 'GET /api/v1/events?limit=1').then(
      ({ status }) => status === 200,
      () => false,
    )
  const HOSTS: [HOST: string, printed: string, reached: string[]][] = [
    ['::1', '[::1]', ['[::1]']],
    ['[::1]', '[::1]', ['[::1]']],
    ['::', '[::1]', ['[::1]', '127.0.0.1']],
    ['0.0.0.0', '127.0.0.1', ['127.0.0.1']],
  ]
  for (const [HOST, printed, reached] of HOSTS)
    test(`HOST=${HOST}: is reached at ${reached.join(' and ')}, and prints ${printed}`, async () => {
      const storeLocation = await sqlite.createLocation()
      const key = newKey()
      const gateway = await startHere(storeLocation, key, { HOST, ...(await onSharedSandbox()) })
      const { port, hostname } = new URL(gateway.url)
      assert.equal(hostname, printed)
      const found: string[] = []
      for (const host of ['[::1]', '127.0.0.1']) if (await answers(host, port, key)) found.push(host)
      assert.deepEqual(found, reached)
      const environment = { ...settingsOf(storeLocation), API_KEY: key }
      for (const named of [{ HOST, PORT: port }, { SWITCHBOARD_URL: gateway.url }]) {
        const { code, json, stderr } = await runCliHere(['instances', 'list', '--json'], {
          ...environment,
          ...named,
        })
        assert.equal(code, 0, stderr)
        assert.deepEqual(json.instances, [])
      }
      await gateway.stop()
      await storeLocation.dispose()
    })

  test('an instance on a sandbox at ::1 connects, uploads and downloads', async () => {
    const storeLocation = await sqlite.createLocation()
    const apiKey = newKey()
    const log = { info: () => undefined, error: () => undefined }
    const sandbox = await startSandbox({
      host: '::1',
      port: 0,
      dataDir: undefined,
      apiKey,
      tls: undefined,
      log,
    })
    assert.equal(new URL(sandbox.url).hostname, '[::1]')
    const gateway = await startHere(storeLocation, newKey(), {
      SANDBOX_URL: sandbox.url,
      SANDBOX_KEY: apiKey,
    })
    const [owner, bob] = [newNumber(), newNumber()]
    const line = await linkedInstance(gateway, owner)
    await world(gateway, 'POST /phones', { number: bob })
    const upload = await fetch(`${gateway.url}/api/v1/media`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'image/png' },
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
    const media = { type: 'image', base64: png(5, 5).toString('base64'), mimetype: 'image/png' }
    const { messageId } = await world(gateway, `POST /phones/${bob}/send`, { to: owner, media })
    const file = `GET /api/v1/messages/${messageId}/media?instanceName=${line}`
    await until('the file', async () => ((await ask(gateway, file)).status === 200 ? true : undefined))
    await gateway.stop()
    await sandbox.stop()
    await storeLocation.dispose()
  })
})

describe('outgoing connections and IPv6', { skip }, () => {
  const NAME = 'receiver.test'
  const opened: Outbound[] = []
  after(() => Promise.all(opened.map((outbound) => outbound.close())))
  async function post(host: string, url: string, resolved: string[]) {
    const receiver = await startWebHost(
      (request, response) => void request.resume().on('end', () => response.end()),
      {
        tls: 'trusted',
        host,
      },
    )
    const outbound = createOutbound({
      allowTargets: [NAME, '::1'],
      extraCa: [authority()],
      directory: await temporaryDirectory(),
      resolver: async () => resolved,
      limits: { connectMs: 60_000 },
    })
    opened.push(outbound)
    const outcome = await outbound.post({
      url: `https://${url}:${receiver.port}/`,
      headers: {},
      body: '{}',
      signal: new AbortController().signal,
    })
    await receiver.close()
    return 'status' in outcome ? outcome.status : outcome.error
  }

  for (const [host, silent] of [
    ['::1', '127.0.0.77'],
    ['127.0.0.1', '100::1'],
  ] as const)
    test(`a name with addresses of both families is reached at ${host} if only that one answers`, async () => {
      for (const addresses of [
        [silent, host],
        [host, silent],
      ])
        assert.equal(await post(host, NAME, addresses), 200, addresses.join())
    })

  test('a name with addresses of one family is reached', async () => {
    assert.equal(await post('::1', NAME, ['::1']), 200)
    assert.equal(await post('127.0.0.1', NAME, ['127.0.0.1']), 200)
  })

  test('private addresses of both families are refused', async () => {
    for (const host of ['[fd00::1]', '[fe80::1]', '[::ffff:127.0.0.1]', '10.0.0.1', '[64:ff9b::10.0.0.1]'])
      assert.equal(await post('::1', host, []), 'not_allowed', host)
  })
})
