// Tunnels of the outbound client through real proxies: what reaches the target, and what each failure is called.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { createOutbound, type Outbound } from '../../src/kernel/outbound/client.ts'
import type { ProxyAddress } from '../../src/kernel/outbound/proxy-address.ts'
import { ProxyError } from '../../src/kernel/outbound/tunnel.ts'
import { authority, certificate } from '../support/certificates.ts'
import { temporaryDirectory } from '../support/engines.ts'
import { startHttpProxy, startSocksProxy, type TunnelProxy } from '../support/tunnel-proxies.ts'

const TRUSTED_HOST = 'receiver.test'
const LOGIN = { username: 'desk', password: 'secret' }

describe('tunnels through proxies', () => {
  let target: Server
  let port = 0
  let outbound: Outbound
  const proxies: TunnelProxy[] = []
  before(async () => {
    target = createServer((socket) => socket.end('hello')).listen(0, '127.0.0.1')
    await once(target, 'listening')
    port = (target.address() as { port: number }).port
    outbound = createOutbound({
      allowTargets: ['127.0.0.1', TRUSTED_HOST],
      extraCa: [authority()],
      directory: await temporaryDirectory(),
      resolver: async () => ['127.0.0.1'],
    })
  })
  after(async () => {
    await outbound.close()
    for (const proxy of proxies) await proxy.shut()
    target.close()
  })

  const KINDS: [ProxyAddress['scheme'], hostname: string, start: () => Promise<TunnelProxy>][] = [
    ['http', '127.0.0.1', () => startHttpProxy(LOGIN)],
    ['https', TRUSTED_HOST, () => startHttpProxy(LOGIN, certificate('trusted'))],
    ['socks5', '127.0.0.1', () => startSocksProxy(LOGIN)],
  ]
  const failure = (opening: Promise<unknown>) =>
    opening.then(
      () => 'opened',
      (error: unknown) => (error instanceof ProxyError ? error.kind : String(error)),
    )

  for (const [scheme, hostname, start] of KINDS)
    test(`${scheme}: opens with the credentials, and names a refusal and an unreachable proxy`, async () => {
      const proxy = await start()
      proxies.push(proxy)
      const address: ProxyAddress = { scheme, hostname, port: proxy.port, ...LOGIN }
      const to = { host: '127.0.0.1', port }
      assert.equal(await text(await outbound.openTunnel(address, to)), 'hello')
      assert.deepEqual(proxy.targets, [`127.0.0.1:${port}`])
      assert.equal(await failure(outbound.openTunnel({ ...address, password: 'wrong' }, to)), 'refused')
      assert.equal(
        await failure(outbound.openTunnel({ ...address, hostname: '10.0.0.1' }, to)),
        'unreachable',
      )
      await proxy.shut()
      assert.equal(await failure(outbound.openTunnel(address, to)), 'unreachable')
      await proxy.open()
      assert.equal(await text(await outbound.openTunnel(address, to)), 'hello')
    })
})
