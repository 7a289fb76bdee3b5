// Posts to receivers that lie, hang, redirect or have invalid certificates, over real sockets (reliability D2, D3, attack list 5,
// 6).
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { after, describe, test } from 'node:test'
import { createOutbound, type OutboundOptions } from '../../src/kernel/outbound/client.ts'
import type { PostAnswer, PostOutcome } from '../../src/kernel/outbound/post.ts'
import { createDnsResolve } from '../../src/kernel/outbound/resolver.ts'
import { authority } from '../support/certificates.ts'
import { type DnsAnswer, startDnsServer } from '../support/dns-server.ts'
import { manualTime, promisesSettled } from '../support/manual-time.ts'
import { startWebHost, type WebHost, type WebHostOptions } from '../support/web-host.ts'

const open: { close(): Promise<void> }[] = []
after(async () => {
  for (const one of open.toReversed()) await one.close()
})
const closedLater = <T extends { close(): Promise<void> }>(one: T): T => {
  open.push(one)
  return one
}

/** A client that treats 127.0.0.1 as public, and every other loopback address as private. */
const client = (options: Partial<OutboundOptions> = {}) =>
  closedLater(
    createOutbound({
      allowTargets: ['127.0.0.1'],
      extraCa: [authority()],
      directory: tmpdir(),
      resolver: async () => ['127.0.0.1'],
      ...options,
    }),
  )

const host = async (handler: RequestListener, options: WebHostOptions = {}): Promise<WebHost> =>
  closedLater(await startWebHost(handler, { tls: 'trusted', ...options }))

/** A host on a forbidden address; not every system has the second loopback address of IPv4. */
const forbiddenHost = async (options: WebHostOptions = {}): Promise<WebHost & { address: string }> => {
  for (const address of ['127.0.0.2', '::1']) {
    const started = await host((_, response) => response.end('secret'), { ...options, host: address }).catch(
      () => undefined,
    )
    if (started) return { ...started, address }
  }
  return assert.fail('this machine has only one loopback address')
}

const event = (url: string) => ({
  url,
  headers: { 'content-type': 'application/json' },
  body: '{"event":"x"}',
})

function answered(outcome: PostOutcome): PostAnswer {
  assert.ok('status' in outcome, JSON.stringify(outcome))
  return outcome
}

function errorOf(outcome: PostOutcome): string {
  assert.ok('error' in outcome, 'the receiver was heard')
  assert.doesNotMatch(outcome.message, /\d+\.\d+\.\d+\.\d+|::/, 'the sentence names no address')
  return outcome.error
}

describe('a post', () => {
  test('sends headers and body, and returns the whole answer', async () => {
    const receiver = await host((request, response) => {
      let body = ''
      request.on('data', (chunk: Buffer) => (body += chunk.toString()))
      request.on('end', () => {
        response.writeHead(202, { 'x-twice': ['a', 'b'], 'retry-after': '7' })
        response.end(JSON.stringify({ url: request.url, headers: request.headers, body }))
      })
    })
    const outcome = answered(await client().post(event(`https://receiver.test:${receiver.port}/hook?a=1`)))
    const seen = JSON.parse(outcome.bodyStart.toString())
    assert.equal(outcome.status, 202)
    assert.equal(outcome.headers['retry-after'], '7')
    assert.equal(outcome.headers['x-twice'], 'a, b')
    assert.equal(outcome.truncated, false)
    assert.ok(outcome.durationMs >= 0)
    assert.equal(seen.url, '/hook?a=1')
    assert.equal(seen.body, '{"event":"x"}')
    assert.equal(seen.headers.host, `receiver.test:${receiver.port}`)
    assert.equal(seen.headers['content-type'], 'application/json')
  })

  test('that is answered with 500 has an ordinary outcome', async () => {
    const receiver = await host((_, response) => response.writeHead(500).end('broken'))
    const outcome = answered(await client().post(event(receiver.url)))
    assert.equal(outcome.status, 500)
    assert.equal(outcome.bodyStart.toString(), 'broken')
  })

  test('reuses connections of earlier posts', async () => {
    const receiver = await host((_, response) => response.end('ok'))
    const outbound = client()
    for (let index = 0; index < 20; index += 1) await outbound.post(event(receiver.url))
    assert.equal(receiver.requests(), 20)
    // A post that follows on the heels of another may find the first connection not yet free.
    assert.ok(receiver.connections() <= 2, `${receiver.connections()} connections`)
  })

  test('needs a name that resolves and a port that listens', async () => {
    const failing = client({ resolver: async () => Promise.reject(new Error('no such name')) })
    assert.equal(errorOf(await failing.post(event('https://receiver.test/'))), 'dns')
    const gone = await host((_, response) => response.end())
    await gone.close()
    assert.equal(errorOf(await client().post(event(gone.url))), 'connect')
  })

  test('ends at once when it is stopped', async () => {
    const receiver = await host(() => stop.abort())
    const stop = new AbortController()
    assert.equal(errorOf(await client().post({ ...event(receiver.url), signal: stop.signal })), 'stopped')
    const closing = client()
    const hanging = await host(() => void closing.close())
    assert.equal(errorOf(await closing.post(event(hanging.url))), 'stopped')
  })
})

describe('attack 5: no rebinding and no redirect reaches a forbidden host', () => {
  test('D2: 1,000 flips of a name between an allowed and a forbidden address', async () => {
    const allowed = await host((_, response) => response.setHeader('connection', 'close').end('ok'))
    const forbidden = await forbiddenHost({ port: allowed.port })
    const requested = new Map<string, number>()
    // Each name is good when it is asked for the first time, and bad from then on.
    const flip: DnsAnswer = (name, type) => {
      const times = requested.get(`${name} ${type}`) ?? 0
      requested.set(`${name} ${type}`, times + 1)
      const address = times === 0 ? '127.0.0.1' : forbidden.address
      return (type === 'AAAA') === address.includes(':') ? [address] : []
    }
    const dns = closedLater(await startDnsServer(flip))
    const outbound = client({ resolver: createDnsResolve([dns.address]) })
    let heard = 0
    let refused = 0
    for (let round = 0; round < 50; round += 1) {
      const urls = Array.from(
        { length: 10 },
        (_, index) => `https://n${round}-${index}.receivers.test:${allowed.port}/`,
      )
      for (const url of urls) assert.equal(answered(await outbound.post(event(url))).status, 200)
      heard += urls.length
      for (const outcome of await Promise.all(urls.map((url) => outbound.post(event(url))))) {
        assert.equal(errorOf(outcome), 'not_allowed')
        refused += 1
      }
    }
    assert.deepEqual([heard, refused], [500, 500])
    assert.ok(dns.queries() >= 2000, 'every post asked for both families')
    assert.equal(allowed.requests(), 500)
    assert.equal(forbidden.connections(), 0)
  })

  test('a name with one forbidden address among allowed ones is refused', async () => {
    const allowed = await host((_, response) => response.end('ok'))
    const forbidden = await forbiddenHost({ port: allowed.port })
    for (const addresses of [
      ['127.0.0.1', forbidden.address],
      [forbidden.address, '127.0.0.1'],
      ['127.0.0.1', 'no address'],
      [],
    ]) {
      const outcome = await client({ resolver: async () => addresses }).post(
        event(`https://receiver.test:${allowed.port}/`),
      )
      assert.equal(errorOf(outcome), 'not_allowed')
    }
    assert.deepEqual([allowed.connections(), forbidden.connections()], [0, 0])
  })

  test('the connection goes to the resolved address, not to the one of the system resolver', async () => {
    const receiver = await host((_, response) => response.end('pinned'))
    const outcome = await client().post(event(`https://receiver.test:${receiver.port}/`))
    assert.equal(answered(outcome).bodyStart.toString(), 'pinned')
  })

  test('a literal address is checked too, without a resolver', async () => {
    const forbidden = await forbiddenHost()
    const resolver = () => assert.fail('a literal is not resolved')
    assert.equal(errorOf(await client({ resolver }).post(event(forbidden.url))), 'not_allowed')
    assert.equal(forbidden.connections(), 0)
  })

  for (const status of [301, 302, 303, 307, 308]) {
    test(`${status} is an ordinary answer, and no redirect is followed`, async () => {
      const forbidden = await forbiddenHost()
      const elsewhere = await host((_, response) => response.end())
      for (const location of [forbidden.url, elsewhere.url]) {
        const receiver = await host((_, response) => response.writeHead(status, { location }).end())
        assert.equal(answered(await client().post(event(receiver.url))).status, status)
      }
      assert.deepEqual([forbidden.connections(), elsewhere.connections()], [0, 0])
    })
  }

  test('a name that the operator allows may be private', async () => {
    const forbidden = await forbiddenHost()
    const outbound = client({ allowTargets: ['receiver.test'], resolver: async () => [forbidden.address] })
    assert.equal(answered(await outbound.post(event(`https://receiver.test:${forbidden.port}/`))).status, 200)
    assert.equal(
      errorOf(await outbound.post(event(`https://n1.receivers.test:${forbidden.port}/`))),
      'not_allowed',
    )
  })
})

describe('D3: TLS is always verified', () => {
  const post = async (
    name: WebHostOptions['tls'] & string,
    options: Partial<OutboundOptions> = {},
    at = 'receiver.test',
  ) => {
    const receiver = await host((_, response) => response.end('ok'), { tls: name })
    const outcome = await client(options).post(event(`https://${at}:${receiver.port}/`))
    return { outcome, requests: receiver.requests() }
  }

  for (const [name, code] of [
    ['self-signed', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['expired', 'CERT_HAS_EXPIRED'],
    ['wrong-name', 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ] as const) {
    test(`a certificate that is ${name} fails before anything is sent`, async () => {
      const { outcome, requests } = await post(name)
      assert.equal(errorOf(outcome), 'tls')
      assert.ok('message' in outcome && outcome.message.includes(code), JSON.stringify(outcome))
      assert.equal(requests, 0)
    })
  }

  test('an extra authority is trusted only where it is configured', async () => {
    assert.equal(errorOf((await post('trusted', { extraCa: [] })).outcome), 'tls')
    assert.equal(answered((await post('trusted')).outcome).status, 200)
    assert.equal(answered((await post('trusted', {}, '127.0.0.1')).outcome).status, 200)
  })

  test('the certificate is checked against the name in the URL, although the connection is pinned to an address', async () => {
    assert.equal(answered((await post('trusted', {}, 'RECEIVER.test.')).outcome).status, 200)
    assert.equal(errorOf((await post('trusted', {}, 'other.test')).outcome), 'tls')
  })

  test('the client verifies certificates even where Node is configured not to', async () => {
    const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    try {
      assert.equal(errorOf((await post('self-signed')).outcome), 'tls')
    } finally {
      if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
      else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before
    }
  })

  test('plain HTTP on the port of a webhook is a TLS failure', async () => {
    const plain = closedLater(await startWebHost((_, response) => response.end()))
    assert.equal(errorOf(await client().post(event(`https://127.0.0.1:${plain.port}/`))), 'tls')
  })
})

describe('the limits of a post', () => {
  const time = manualTime()
  const outbound = client({ timers: time.timers })
  /** The post is under way just before the limit, and ends at it. */
  const endsAfter = async (posting: Promise<PostOutcome>, limitMs: number) => {
    let isSettled = false
    void posting.then(() => (isSettled = true))
    time.pass(limitMs - 1)
    await promisesSettled()
    assert.equal(isSettled, false, 'it ended before the limit')
    time.pass(1)
    assert.equal(errorOf(await posting), 'timeout')
  }

  test('are 15 seconds for the whole exchange', async () => {
    const requested = Promise.withResolvers<void>()
    const receiver = await host((_, response) => {
      response.writeHead(200).write('.', () => requested.resolve())
    })
    const posting = outbound.post(event(receiver.url))
    await requested.promise
    await endsAfter(posting, 15_000)
  })

  test('are 5 seconds for the connection', async () => {
    const mute = createServer()
    mute.listen(0, '127.0.0.1')
    await once(mute, 'listening')
    const address = mute.address()
    assert.ok(typeof address === 'object' && address)
    const posting = outbound.post(event(`https://127.0.0.1:${address.port}/`))
    await once(mute, 'connection')
    await endsAfter(posting, 5000)
    mute.close()
  })
})

describe('attack 6: a hostile receiver is cut off by the time limit of the client', () => {
  const limits = { connectMs: 300, exchangeMs: 600 }

  test('never answers', async () => {
    const receiver = await host(() => undefined)
    assert.equal(errorOf(await client({ limits }).post(event(receiver.url))), 'timeout')
  })

  test('accepts the connection and never speaks TLS', async () => {
    const mute = createServer()
    mute.listen(0, '127.0.0.1')
    await once(mute, 'listening')
    const address = mute.address()
    assert.ok(typeof address === 'object' && address)
    const outcome = await client({ limits }).post(event(`https://127.0.0.1:${address.port}/`))
    mute.close()
    assert.equal(errorOf(outcome), 'timeout')
  })

  test('has a name server that never answers', async () => {
    const dns = closedLater(await startDnsServer(() => undefined))
    const outbound = client({ limits, resolver: createDnsResolve([dns.address]) })
    assert.equal(errorOf(await outbound.post(event('https://receiver.test/'))), 'timeout')
    assert.ok(dns.queries() > 0)
  })

  for (const part of ['head', 'body'] as const) {
    test(`drips its ${part} a byte at a time`, async () => {
      const time = manualTime()
      const isDripping = Promise.withResolvers<void>()
      let dripped = 0
      const receiver = await host((_, response) => {
        const { socket } = response
        if (part === 'body') response.writeHead(200).flushHeaders()
        const drip = setInterval(() => {
          dripped += 1
          if (part === 'body') response.write('.')
          else socket?.write(dripped === 1 ? 'HTTP/1.1 200 OK\r\nx-drip: ' : '.')
          if (dripped > 3) isDripping.resolve()
        }, 20)
        response.once('close', () => clearInterval(drip))
      })
      const posting = client({ timers: time.timers }).post(event(receiver.url))
      await isDripping.promise
      time.pass(15_000)
      assert.equal(errorOf(await posting), 'timeout')
    })
  }

  test('sends 10 GB: 64 KiB are read and the rest is not requested', async () => {
    const megabyte = Buffer.alloc(1024 * 1024)
    let sentBytes = 0
    const closed = Promise.withResolvers<void>()
    const receiver = await host((_, response) => {
      response.writeHead(200, { 'content-length': String(10 * 1024 ** 3) })
      response.once('close', () => closed.resolve())
      const send = () => {
        while (!response.destroyed) {
          sentBytes += megabyte.length
          if (!response.write(megabyte)) return void response.once('drain', send)
        }
      }
      send()
    })
    const outcome = answered(await client().post(event(receiver.url)))
    await closed.promise
    assert.deepEqual([outcome.status, outcome.truncated, outcome.bodyStart.length], [200, true, 65_536])
    assert.ok(sentBytes < 64 * 1024 * 1024, `${sentBytes} bytes left the receiver`)
  })

  test('resets, at once or during the answer', async () => {
    const atOnce = await host((request) => request.socket.destroy())
    assert.equal(errorOf(await client().post(event(atOnce.url))), 'reset')
    const midway = await host((_, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('half', () => response.destroy())
    })
    assert.equal(errorOf(await client().post(event(midway.url))), 'reset')
  })

  test('speaks another protocol, or sends a head without end', async () => {
    for (const words of ['SSH-2.0-OpenSSH_9.2\r\n', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`]) {
      const odd = await host((request) => request.socket.end(words))
      assert.equal(errorOf(await client().post(event(odd.url))), 'protocol')
    }
  })
})
