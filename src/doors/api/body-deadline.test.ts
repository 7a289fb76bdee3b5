import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { pino } from 'pino'
import { manualTime } from '../../../test/support/manual-time.ts'
import type { ArrivingFile } from '../../contract/route.ts'
import { routes } from '../../contract/routes.ts'
import { NO_WALLS } from '../../contract/wall-values.ts'
import { GatewayError } from '../../errors.ts'
import { createServer, type ServerDeps } from './server.ts'

const BODY = '{"instanceName":"Late"}'
const HEAD =
  'POST /api/v1/instance/create HTTP/1.1\r\nHost: gateway\r\nContent-Type: application/json\r\n' +
  `Content-Length: ${BODY.length}\r\n\r\n`

const CALLER = {
  account: { id: 1, status: 'active', expires_at: null },
  plan: { requests_per_second: null },
  scopes: [],
  walls: NO_WALLS,
  credential: { kind: 'api_key', id: 1 },
}

const serverWith = (deps: Partial<ServerDeps>): FastifyInstance =>
  createServer({
    routes: [],
    auth: { caller: async () => assert.fail('no key is checked') },
    clock: Date.now,
    requestsPerSecond: 0,
    trustedProxies: [],
    isHeld: () => false,
    refusalOf: async () => undefined,
    noteCall: () => undefined,
    lag: { isLagging: () => false, stop: () => undefined },
    logger: pino({ level: 'silent' }),
    onRequestDone: () => undefined,
    ...deps,
  } as unknown as ServerDeps)

describe('a request that does not arrive in time', () => {
  const servers: FastifyInstance[] = []
  let port: number
  let handled = 0
  const done: number[] = []
  const listening = async (requestTimeoutMs: number): Promise<number> => {
    const server = serverWith({
      requestTimeoutMs,
      routes: [
        { route: routes.createInstance, handle: async () => void (handled += 1) },
        { route: routes.uploadMedia, handle: async (_, { file }: { file: ArrivingFile }) => sizeOf(file) },
      ],
      auth: {
        caller: async ({ headers }: FastifyRequest) => {
          if (headers.authorization !== undefined) throw new GatewayError('unauthorized')
          return CALLER
        },
      } as unknown as ServerDeps['auth'],
      onRequestDone: ({ status }) => void done.push(status),
    })
    servers.push(server)
    await server.listen({ port: 0, host: '127.0.0.1' })
    return (server.server.address() as { port: number }).port
  }
  before(async () => void (port = await listening(50)))
  after(() => Promise.all(servers.map((server) => server.close())))

  /** Sends the bytes and returns all that the server answers until it closes the connection. */
  async function answerTo(bytes: string): Promise<{ head: string; json: Record<string, string> }> {
    const socket = connect(port, '127.0.0.1')
    socket.write(bytes)
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
    return { head, json: JSON.parse(body) as Record<string, string> }
  }

  test('408 for half a body: the answer has the request id, and the request is measured as 408', async () => {
    const { head, json } = await answerTo(HEAD + BODY.slice(0, 5))
    assert.match(head, /^HTTP\/1\.1 408 Request Timeout/)
    assert.match(head, /^connection: close$/im)
    assert.deepEqual([json.success, json.reason], [false, 'request_timeout'])
    assert.equal(json.requestId, /^x-request-id: (.+)$/im.exec(head)?.[1])
    assert.deepEqual([handled, done], [0, [408]])
  })

  test('408 for a chunked body without an end', async () => {
    const head = HEAD.replace(/Content-Length: \d+/, 'Transfer-Encoding: chunked')
    assert.match((await answerTo(`${head}5\r\n{"ins\r\n`)).head, /^HTTP\/1\.1 408 /)
  })

  test('401 before the body arrives: no second answer when the body never arrives', async () => {
    const { head, json } = await answerTo(HEAD.replace('Host', 'Authorization: Bearer wrong\r\nHost'))
    assert.match(head, /^HTTP\/1\.1 401 /)
    assert.equal(json.reason, 'unauthorized')
  })

  test('408 for half a header', async () => {
    const { head, json } = await answerTo(HEAD.slice(0, 60))
    assert.match(head, /^HTTP\/1\.1 408 /)
    assert.deepEqual([json.success, json.reason], [false, 'request_timeout'])
  })

  test('the connection is closed when a body that is not read never arrives', async () => {
    const refused = await answerTo(HEAD.replace('application/json', 'text/plain') + BODY.slice(0, 5))
    assert.match(refused.head, /^HTTP\/1\.1 415 /)
    assert.equal(refused.json.reason, 'unsupported_media_type')
  })

  test('200 for an upload that takes longer than a body of JSON may', async () => {
    const upload = HEAD.replace('/instance/create', '/media').replace('application/json', 'text/plain')
    const socket = connect(port, '127.0.0.1')
    socket.write(upload.replace('Host', 'Connection: close\r\nHost') + BODY.slice(0, 5))
    assert.match((await answerTo(HEAD + BODY.slice(0, 5))).head, /^HTTP\/1\.1 408 /)
    socket.write(BODY.slice(5))
    const answer = await text(socket)
    assert.match(answer, /^HTTP\/1\.1 200 /)
    assert.match(answer, new RegExp(`"sizeBytes":${BODY.length}`))
  })

  test('200 for a body in two parts that arrives in time', async () => {
    const socket = connect(await listening(30_000), '127.0.0.1')
    socket.write(HEAD.replace('Host', 'Expect: 100-continue\r\nConnection: close\r\nHost'))
    await once(socket, 'data')
    socket.write(BODY.slice(0, 5))
    setImmediate(() => socket.write(BODY.slice(5)))
    assert.match(await text(socket), /^HTTP\/1\.1 200 /)
    assert.equal(handled, 1)
  })
})

describe('an upload that stops arriving', () => {
  async function uploading(path: string, contentType: string) {
    const time = manualTime()
    const arrived = new EventEmitter()
    const server = serverWith({
      bodyTimers: time.timers,
      routes: [
        {
          route: routes.uploadMedia,
          handle: async (_, { file }: { file: ArrivingFile }) => {
            for await (const _chunk of file.bytes) arrived.emit('chunk')
          },
        },
      ],
      auth: { caller: async () => CALLER } as unknown as ServerDeps['auth'],
    })
    await server.listen({ port: 0, host: '127.0.0.1' })
    const socket = connect((server.server.address() as { port: number }).port, '127.0.0.1')
    const answer = text(socket)
    const send = async (bytes: string) => {
      const read = once(arrived, 'chunk')
      socket.write(bytes)
      await read
    }
    await send(
      `POST ${path} HTTP/1.1\r\nHost: gateway\r\nContent-Type: ${contentType}\r\nContent-Length: 1000000\r\n\r\nfirst`,
    )
    return { time, send, answer, stop: () => server.close() }
  }

  test('408 after 30 s without a byte, and the connection is closed', async () => {
    const { time, answer, stop } = await uploading('/api/v1/media', 'text/plain')
    time.pass(40_000)
    const received = await answer
    assert.match(received, /^HTTP\/1\.1 408 /)
    assert.match(received, /^connection: close\r$/im)
    assert.match(received, /"reason":"request_timeout"/)
    await stop()
  })

  test('each byte that arrives gives it another 30 s', async () => {
    const { time, send, answer, stop } = await uploading('/api/v1/media', 'text/plain')
    let isAnswered = false
    void answer.then(() => (isAnswered = true))
    for (let piece = 0; piece < 5; piece += 1) {
      time.pass(25_000)
      await send('x')
    }
    assert.equal(isAnswered, false)
    time.pass(40_000)
    assert.match(await answer, /^HTTP\/1\.1 408 /)
    await stop()
  })
})

async function sizeOf({ bytes }: ArrivingFile): Promise<{ sizeBytes: number }> {
  let sizeBytes = 0
  for await (const chunk of bytes) sizeBytes += chunk.length
  return { sizeBytes }
}

test('the timeout of headers is 30 s; Node ends uploads after ten minutes, checked one second later', async () => {
  const server = serverWith({})
  const { headersTimeout, requestTimeout } = server.server as {
    headersTimeout: number
    requestTimeout: number
  }
  assert.deepEqual([headersTimeout, requestTimeout], [30_000, 601_000])
  await server.close()
})
