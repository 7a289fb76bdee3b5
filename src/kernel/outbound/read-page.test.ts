// Pages that the gateway reads for itself, from a host that answers in every way.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { temporaryDirectory } from '../../../test/support/engines.ts'
import { createOutbound, type Outbound } from './client.ts'

describe('reading a page', () => {
  let host: Server
  let outbound: Outbound
  let answer: RequestListener
  before(async () => {
    host = createServer((request, response) => answer(request, response)).listen(0, '127.0.0.1')
    await once(host, 'listening')
    outbound = createOutbound({
      allowTargets: ['127.0.0.1'],
      extraCa: [],
      directory: await temporaryDirectory(),
    })
  })
  after(async () => {
    await outbound.close()
    host.closeAllConnections()
    host.close()
  })

  const read = (more: { limitMs?: number; signal?: AbortSignal; hostname?: string } = {}) => {
    const { hostname = '127.0.0.1', limitMs = 60_000, signal = new AbortController().signal } = more
    const url = `http://${hostname}:${(host.address() as AddressInfo).port}/page?x=1`
    return outbound.readPage({ url, headers: { 'user-agent': 'test' }, maxBytes: 1000, limitMs, signal })
  }

  test('returns the text of the page, also if it is compressed, and sends the headers', async () => {
    answer = ({ url, headers }, response) => {
      response.setHeader('content-encoding', 'gzip')
      response.end(gzipSync(`${url} ${headers['user-agent']}`))
    }
    assert.equal(await read(), '/page?x=1 test')
  })

  test('rejects any other answer than 200, a page that is too large, and one that does not end in time', async () => {
    answer = (_request, response) => response.writeHead(302, { location: '/other' }).end()
    await assert.rejects(read(), { message: 'The host answered 302.' })
    answer = (_request, response) => response.end('x'.repeat(1001))
    await assert.rejects(read(), { message: 'The host did not send a valid HTTP response.' })
    answer = (_request, response) => void response.write('x')
    await assert.rejects(read({ limitMs: 50 }), { message: 'The host did not answer in time.' })
  })

  test('stops with the signal, and refuses private addresses', async () => {
    const stop = new AbortController()
    answer = () => stop.abort()
    await assert.rejects(read({ signal: stop.signal }), { message: 'The request was stopped.' })
    await assert.rejects(read({ hostname: '10.0.0.1' }), { name: 'TargetRefused' })
  })
})
