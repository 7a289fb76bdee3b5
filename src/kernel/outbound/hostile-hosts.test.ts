// Hosts and proxies that answer without end, never, or close the connection in the middle: the request fails, what is read is bounded,
// and the connection ends.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { authority } from '../../../test/support/certificates.ts'
import { type HostileOptions, startHostileServer } from '../../../test/support/hostile-server.ts'
import { createOutbound, type Outbound } from './client.ts'
import { createCollectorClient } from './collector-client.ts'
import { createObjectClient } from './object-client.ts'
import { parseProxy } from './proxy-address.ts'
import { TargetRefused } from './target.ts'

const BUFFERED_BYTES = 32 * 1024 * 1024
const SMALL = { image: 1000, video: 1000, audio: 1000, document: 1000, sticker: 1000 }
const HTTP = { tls: true, afterBytes: 1 }
const CHUNKED = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'

const ENDLESS: Record<string, HostileOptions> = {
  'a body': { ...HTTP, greeting: CHUNKED, endless: '1\r\nx\r\n' },
  'the extension of a chunk': { ...HTTP, greeting: `${CHUNKED}1;`, endless: 'x' },
  'a header': { ...HTTP, greeting: 'HTTP/1.1 200 OK\r\na: ', endless: 'x' },
  'early answers': { ...HTTP, endless: 'HTTP/1.1 103 Early Hints\r\n\r\n' },
}

/** Resolves to whether the request has failed. */
const CLIENTS: Record<
  string,
  (port: number, outbound: Outbound) => Promise<{ failed: boolean; end(): Promise<void> }>
> = {
  'a webhook': async (port, outbound) => {
    const url = `https://receiver.test:${port}/`
    const outcome = await outbound.post({ url, headers: {}, body: '{}' })
    return { failed: 'error' in outcome || outcome.truncated, end: async () => undefined }
  },
  'a document of a client': async (port, outbound) => {
    const page = { url: `https://receiver.test:${port}/`, headers: {}, maxBytes: 1000, limitMs: 60_000 }
    const signal = new AbortController().signal
    const failed = await outbound.readPage({ ...page, signal }).then(
      () => false,
      () => true,
    )
    return { failed, end: async () => undefined }
  },
  'the collector': async (port) => {
    const client = createCollectorClient({
      url: `https://127.0.0.1:${port}/v1`,
      headers: {},
      extraCa: [authority()],
    })
    const answer = await client.post('{}', new AbortController().signal)
    return { failed: 'failure' in answer || answer.status === 200, end: client.close }
  },
  'the object store': async (port) => {
    const client = createObjectClient({
      endpoint: `https://127.0.0.1:${port}`,
      bucket: 'b',
      service: 's3',
      region: 'r',
      accessKey: 'a',
      secretKey: 's',
      extraCa: [authority()],
      limits: { retryPausesMs: [], answerBytes: 10_000 },
    })
    const failed = await client.get('key').then(
      () => false,
      () => true,
    )
    return { failed, end: client.close }
  },
}

const outboundWith = () =>
  createOutbound({
    allowTargets: ['receiver.test', '127.0.0.1'],
    extraCa: [authority()],
    directory: '/nonexistent',
    resolver: async () => ['127.0.0.1'],
    limits: { answerBytes: 1000, bytes: SMALL, exchangeMs: 60_000 },
  })

describe('hostile hosts', () => {
  for (const [who, run] of Object.entries(CLIENTS))
    for (const [what, hostile] of Object.entries(ENDLESS)) {
      test(`${who} sends ${what} without end`, async () => {
        const server = await startHostileServer(hostile)
        const outbound = outboundWith()
        try {
          const { failed, end } = await run(server.port, outbound)
          assert.ok(failed)
          await server.untilClosed()
          assert.ok(server.sentBytes() < BUFFERED_BYTES, `${server.sentBytes()} bytes`)
          await end()
        } finally {
          await outbound.close()
          await server.close()
        }
      })
    }

  test('a request to a host that never answers ends with the gateway', async () => {
    const server = await startHostileServer({ tls: true })
    const outbound = outboundWith()
    try {
      const posting = outbound.post({ url: `https://receiver.test:${server.port}/`, headers: {}, body: '{}' })
      await server.untilConnected()
      await outbound.close()
      assert.ok('error' in (await posting))
      await server.untilClosed()
    } finally {
      await server.close()
    }
  })
})

describe('hostile proxies', () => {
  const HOSTILE: Record<string, HostileOptions> = {
    'early answers without end': { afterBytes: 1, endless: 'HTTP/1.1 103 Early Hints\r\n\r\n' },
    'a header without end': { afterBytes: 1, greeting: 'HTTP/1.1 200 OK\r\na: ', endless: 'x' },
    'the answer of another protocol without end': { afterBytes: 1, endless: 'x' },
    'half an answer': { afterBytes: 1, greeting: 'HTTP/1.1 2', closes: true },
  }
  for (const scheme of ['http', 'https', 'socks5'])
    for (const [what, hostile] of Object.entries(HOSTILE))
      test(`over ${scheme}: ${what}`, async () => {
        const server = await startHostileServer({ ...hostile, tls: scheme === 'https' })
        const outbound = outboundWith()
        try {
          const proxy = parseProxy(`${scheme}://127.0.0.1:${server.port}`)
          assert.ok(!(proxy instanceof TargetRefused))
          await assert.rejects(outbound.openTunnel(proxy, { host: 'example.com', port: 443 }))
          await server.untilClosed()
          assert.ok(server.sentBytes() < BUFFERED_BYTES, `${server.sentBytes()} bytes`)
        } finally {
          await outbound.close()
          await server.close()
        }
      })

  test('what comes through an open tunnel is not counted: its user bounds it', async () => {
    const long = Buffer.alloc(256 * 1024, 'x')
    const answer = Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\n\r\n'), long])
    const server = await startHostileServer({ afterBytes: 1, greeting: answer })
    const outbound = outboundWith()
    try {
      const proxy = parseProxy(`http://127.0.0.1:${server.port}`)
      assert.ok(!(proxy instanceof TargetRefused))
      const socket = await outbound.openTunnel(proxy, { host: 'example.com', port: 443 })
      let read = 0
      for await (const chunk of socket) {
        read += (chunk as Buffer).length
        if (read === long.length) break
      }
      assert.equal(read, long.length)
    } finally {
      await outbound.close()
      await server.close()
    }
  })
})
