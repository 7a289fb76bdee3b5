// Every route: a client that disconnects at any stage of a request ends its own request only. Node ends the process for an `error`
// event without a listener, so that one such place would let any client stop the gateway.
import assert from 'node:assert/strict'
import { channel } from 'node:diagnostics_channel'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { after, describe, test } from 'node:test'
import { fullPath } from '../../src/contract/route.ts'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import { type CallInput, type Gateway, startGateway } from '../support/gateway.ts'
import { shared } from './fixture.ts'
import { exchange } from './raw-http.ts'
import { receive } from './received-message.ts'
import { listed, makeThings, sampleCalls } from './sample-calls.ts'

interface RawRequest {
  title: string
  /** Request line and headers, with the empty line at their end. */
  head: string
  body: Buffer
}

/** How a client leaves. A half-close ends its own side only, and the answer may still arrive. */
const ENDS = ['reset', 'half-close'] as const
type End = (typeof ENDS)[number]

/** How many bytes of the request are sent before the client leaves. */
const CUTS: Record<string, (request: RawRequest) => number> = {
  'in the request line': ({ head }) => Math.floor(head.indexOf('\r\n') / 2),
  'in the headers': ({ head }) => head.length - 10,
  'after the headers': ({ head }) => head.length,
  'in the body': ({ head, body }) => head.length + Math.ceil(body.length / 2),
}
/** The request is sent completely, and the client leaves at this moment. */
const MOMENTS: Record<string, (socket: Socket) => Promise<unknown>> = {
  'while the handler works': (socket) => handled(socket),
  'while the answer is written': (socket) => Promise.race([once(socket, 'readable'), once(socket, 'close')]),
}
/** The answer is larger than what the sockets hold, so that it is still being written when the client leaves. */
const FILE_BYTES = 8 * 1024 * 1024

/** Resolves when the server has begun to handle a request of this connection. */
const handled = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    const started = channel('http.server.request.start')
    const onStart = (message: unknown) => {
      const { request } = message as { request: IncomingMessage }
      if (request.socket.remotePort !== socket.localPort) return
      started.unsubscribe(onStart)
      resolve()
    }
    started.subscribe(onStart)
    socket.once('close', () => started.unsubscribe(onStart))
  })

async function open(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  // The server may reset the connection as well.
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

/** Returns when the connection is closed. */
async function leave(socket: Socket, end: End): Promise<void> {
  const closed = socket.closed ? undefined : new Promise((resolve) => socket.once('close', resolve))
  if (end === 'reset') socket.resetAndDestroy()
  else {
    socket.end()
    // The first bytes of an answer are enough: a stream of events has no end.
    socket.once('data', () => socket.destroy())
  }
  await closed
}

async function cutShort(url: string, bytes: Buffer | string, end: End): Promise<void> {
  const socket = await open(url)
  await new Promise((resolve) => socket.write(bytes, resolve))
  await leave(socket, end)
}

async function leaveAt(
  url: string,
  { head, body }: RawRequest,
  moment: (socket: Socket) => Promise<unknown>,
  end: End,
): Promise<void> {
  const socket = await open(url)
  const reached = moment(socket)
  socket.write(Buffer.concat([Buffer.from(head), body]))
  await reached
  await leave(socket, end)
}

function rawRequest(method: string, path: string, key: string | null, input: CallInput): RawRequest {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(input.params?.[name])),
  )
  const query = new URLSearchParams(
    Object.entries(input.query ?? {}).map(([name, value]): [string, string] => [name, String(value)]),
  )
  const given =
    input.body === undefined || typeof input.body === 'string' ? input.body : JSON.stringify(input.body)
  const body = Buffer.from(input.upload ?? given ?? '{}')
  const headers = {
    host: 'gateway',
    'content-type': input.upload ? 'image/png' : 'application/json',
    ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    ...input.headers,
    'content-length': String(body.length),
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const head = [`${method} ${filled}?${query.toString()} HTTP/1.1`, ...lines, '', ''].join('\r\n')
  return { title: `${method} ${path}`, head, body }
}

const PAGES = ['/', '/docs/', '/docs/js/scalar.js', '/openapi.json', '/no/such/path']
/** They run last, because they remove what other calls need. */
const isRemoval = (id: string): boolean => /^(delete|logout|revoke|adminDelete|adminRevoke)/.test(id)

async function everyRequest(gateway: Gateway): Promise<RawRequest[]> {
  const mine = await gateway.account()
  const things = await makeThings(gateway, mine)
  gateway.sessions.script.downloadMedia = () => Buffer.alloc(FILE_BYTES, 7)
  const instance = { name: things.instance, id: await idOf(gateway, things.instance) }
  const withFile = await receive({ ...gateway, instance }, {})
  const calls = [...listed]
    .sort((one, other) => Number(isRemoval(one.id)) - Number(isRemoval(other.id)))
    .map((route) => {
      const key = route.area === 'api' ? mine.key : route.area === 'admin' ? gateway.app.operatorKey : null
      const messageId = route.id === 'getMessageMedia' ? withFile : things.messageId
      return rawRequest(route.method, fullPath(route), key, sampleCalls[route.id]({ ...things, messageId }))
    })
  return [...calls, ...PAGES.map((path) => rawRequest('GET', path, null, {}))]
}

const idOf = async ({ store }: Gateway, name: string): Promise<number> =>
  (await store.db.selectFrom('instances').select('id').where('api_name', '=', name).executeTakeFirstOrThrow())
    .id

/** Requests that Node does not hand to the framework, or whose socket it hands over as it is. */
const WIRE = {
  CONNECT: 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n',
  'CONNECT with bytes behind it': `CONNECT / HTTP/1.1\r\nHost: gateway\r\n\r\n${'x'.repeat(100_000)}`,
  Upgrade: 'GET / HTTP/1.1\r\nHost: gateway\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  'HTTP/2 preface': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'no HTTP': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'unknown method': 'BREW /healthz HTTP/1.1\r\nHost: gateway\r\n\r\n',
  'header without end': `GET / HTTP/1.1\r\nX-Long: ${'x'.repeat(40_000)}`,
  'two lengths': 'POST / HTTP/1.1\r\nHost: gateway\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
  'bad chunk': 'POST / HTTP/1.1\r\nHost: gateway\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
  expectation:
    'POST /api/v1/media HTTP/1.1\r\nHost: gateway\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n',
}
const WIRE_TRIES = 60

/** The test runner only prints an error that no listener took. Outside of tests it ends the process. */
const unhandled: unknown[] = []
process.on('uncaughtExceptionMonitor', (error) => unhandled.push(error))

async function requireHealthy(call: Gateway['call']): Promise<void> {
  assert.equal((await call('readyz')).status, 200)
  assert.deepEqual(unhandled.splice(0), [])
}

for (const engine of behaviourEngines()) {
  describe(`every route: clients that disconnect on ${engine.name}`, () => {
    const prepared = shared(async () => {
      const gateway = await startGateway(engine)
      return { ...gateway, requests: await everyRequest(gateway) }
    })
    after(async () => {
      await (await prepared()).stop()
      assert.deepEqual(unhandled.splice(0), [])
    })

    for (const end of ENDS) {
      for (const [stage, cutAt] of Object.entries(CUTS)) {
        test(`the server survives a ${end} ${stage} of every route`, async () => {
          const { url, call, requests } = await prepared()
          for (const request of requests) {
            const bytes = Buffer.concat([Buffer.from(request.head), request.body])
            await cutShort(url, bytes.subarray(0, cutAt(request)), end)
          }
          await requireHealthy(call)
        })
      }
      for (const [stage, moment] of Object.entries(MOMENTS)) {
        test(`the server survives a ${end} ${stage}, on every route`, async () => {
          const { url, call, requests } = await prepared()
          for (const request of requests) await leaveAt(url, request, moment, end)
          await requireHealthy(call)
        })
      }
      for (const [name, bytes] of Object.entries(WIRE)) {
        test(`the server survives a ${end} after ${name}`, async () => {
          const { url, call } = await prepared()
          await Promise.all(Array.from({ length: WIRE_TRIES }, () => cutShort(url, bytes, end)))
          await requireHealthy(call)
        })
      }
    }

    test('a refused CONNECT is closed although the client keeps its side open', async () => {
      const { url } = await prepared()
      const answer = await exchange(url, WIRE.CONNECT)
      assert.equal(answer.status, 405)
    })
  })
}
