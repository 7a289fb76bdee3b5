// The outbound client never connects to a listener of its own gateway, over real sockets (attack list 7).
import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { after, describe, test } from 'node:test'
import { createOutbound, type Outbound } from '../../src/kernel/outbound/client.ts'
import type { PostOutcome } from '../../src/kernel/outbound/post.ts'
import { authority } from '../support/certificates.ts'
import { startWebHost, type WebHost, type WebHostOptions } from '../support/web-host.ts'

const open: { close(): Promise<void> }[] = []
after(async () => {
  for (const one of open.toReversed()) await one.close()
})
const closedLater = <T extends { close(): Promise<void> }>(one: T): T => {
  open.push(one)
  return one
}

/** Every name resolves to the loopback, and the operator allows the loopback in every form. */
const client = (): Outbound =>
  closedLater(
    createOutbound({
      allowTargets: ['127.0.0.0/8', '::1', '0.0.0.0', 'localhost', 'receiver.test'],
      extraCa: [authority()],
      directory: tmpdir(),
      resolver: async () => ['127.0.0.1'],
    }),
  )

const host = async (
  handler: RequestListener,
  options: WebHostOptions = { tls: 'trusted' },
): Promise<WebHost> => closedLater(await startWebHost(handler, options))

const statusOf = (outcome: PostOutcome): number | string =>
  'status' in outcome ? outcome.status : outcome.error

describe('the gateway’s own listeners are never reached', () => {
  const ok: RequestListener = (_, response) => response.setHeader('connection', 'close').end('ok')
  test('by any name that resolves to them, even one that the operator allows', async () => {
    const [mine, other] = [await host((_, response) => response.end('mine')), await host(ok)]
    const outbound = client()
    const post = (name: string, port: number) =>
      outbound.post({ url: `https://${name}:${port}/`, headers: {}, body: '{}' })
    outbound.own.add('0.0.0.0', mine.port)
    for (const name of ['receiver.test', 'name.test', '127.0.0.1', 'localhost', '0.0.0.0'])
      assert.equal(statusOf(await post(name, mine.port)), 'not_allowed', name)
    assert.equal(mine.connections(), 0)
    for (const name of ['receiver.test', '127.0.0.1'])
      assert.equal(statusOf(await post(name, other.port)), 200, name)
  })

  test('from the moment they listen, by a URL that was allowed before', async () => {
    const later = await host(ok)
    const outbound = client()
    const event = { url: `https://receiver.test:${later.port}/hook`, headers: {}, body: '{}' }
    assert.equal(statusOf(await outbound.post(event)), 200)
    outbound.own.add('127.0.0.1', later.port)
    assert.equal(statusOf(await outbound.post(event)), 'not_allowed')
  })

  test('through a redirect by a media host', async () => {
    const mine = await host((_, response) => response.end('mine'), {})
    const location = `http://receiver.test:${mine.port}/`
    const moved = await host((_, response) => response.writeHead(302, { location }).end(), {})
    const outbound = client()
    outbound.own.add('127.0.0.1', mine.port)
    const outcome = await outbound.download({ accountId: 1, url: moved.url, kind: 'document' })
    assert.ok('failed' in outcome)
    assert.equal(mine.connections(), 0)
  })
})
