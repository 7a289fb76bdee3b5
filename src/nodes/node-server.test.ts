// The port for nodes, over real connections: what strangers and recorded messages can do there, and TLS.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { certificate, NODE_TLS_FILES } from '../../test/support/certificates.ts'
import { createNodeClient } from './node-client.ts'
import { type NodeServer, startNodeServer } from './node-server.ts'
import { type NodeTls, readNodeTls } from './node-tls.ts'
import { describeBody, newNonce, nodeKey, requestHeaders } from './signing.ts'

const key = nodeKey(new Uint8Array(32).fill(1))
const NODE = 7
const WAKE = Buffer.from('{"call":"wake","what":["sends"]}')
const CONNECTIONS = 150
const MEGABYTE = 1024 * 1024

/** A request as bytes, as someone on the network sees it. */
const rawRequest = (headers: Record<string, string>, body: Uint8Array | string = ''): Buffer =>
  Buffer.concat([
    Buffer.from(
      `POST /node/v2 HTTP/1.1\r\nhost: node\r\n${Object.entries(headers)
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('')}\r\n`,
    ),
    Buffer.from(body),
  ])
const signedWake = (body: Buffer = WAKE): Buffer =>
  rawRequest(requestHeaders(key, { time: 0, to: NODE, nonce: newNonce(), ...describeBody(WAKE) }), body)

/** Resolves when the server has ended the connection. */
async function untilClosed(socket: Socket): Promise<void> {
  socket.resume()
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve))
}

describe('the port for nodes', () => {
  let server: NodeServer
  let port: number
  let woken = 0
  const open = (): Socket => connect(port, '127.0.0.1').on('error', () => undefined)
  before(async () => {
    port = await freePort()
    server = await startNodeServer(
      '127.0.0.1',
      port,
      partsOf(() => (woken += 1)),
    )
  })
  after(() => server.close())

  /** The status of the first answer to these bytes. */
  async function statusOf(bytes: Buffer): Promise<string> {
    const socket = open()
    socket.write(bytes)
    const [chunk] = (await once(socket, 'data')) as [Buffer]
    socket.destroy()
    return chunk.toString().slice(9, 12)
  }

  test('answers before the body of a request that no node has signed: 150 such connections hold no memory', async () => {
    const head = { 'content-length': String(8 * MEGABYTE) }
    assert.equal(await statusOf(rawRequest(head, 'the first bytes')), '403')
    const started = rawRequest(head, Buffer.alloc(MEGABYTE / 16))
    const strangers = Array.from({ length: CONNECTIONS }, open)
    for (const socket of strangers) socket.write(started)
    // None of them sends the rest of its body. A server that waits for it would keep what has come.
    await Promise.all(strangers.map(untilClosed))
    assert.equal(await statusOf(signedWake()), '200')
  })

  test('closes the oldest of many connections that send nothing, and a node is still answered', async () => {
    const silent = Array.from({ length: CONNECTIONS }, open)
    let answers = 0
    for (const socket of silent) socket.once('data', () => (answers += 1))
    await Promise.all(silent.slice(0, CONNECTIONS - 64).map(untilClosed))
    assert.equal(answers, 0, 'a connection that is closed by a time limit is answered with 408')
    assert.equal(await statusOf(signedWake()), '200')
    for (const socket of silent) socket.destroy()
  })

  test('refuses a request without a length, with a body that is too large, and with a body that differs from the signed one', async () => {
    woken = 0
    const head = { time: 0, to: NODE, nonce: newNonce(), ...describeBody(WAKE) }
    const { 'content-length': _, ...unmeasured } = requestHeaders(key, head)
    assert.equal(await statusOf(rawRequest({ ...unmeasured, 'transfer-encoding': 'chunked' })), '403')
    const large = { ...head, nonce: newNonce(), length: 9 * MEGABYTE }
    assert.equal(await statusOf(rawRequest(requestHeaders(key, large))), '413')
    const changed = Buffer.from(WAKE)
    changed[changed.length - 4] = 120
    assert.equal(await statusOf(signedWake(changed)), '403')
    assert.equal(woken, 0)
  })

  test('a recorded request is refused the second time', async () => {
    woken = 0
    const recorded = signedWake()
    assert.deepEqual([await statusOf(recorded), await statusOf(recorded)], ['200', '403'])
    assert.equal(woken, 1)
  })

  test('an answer to another question is not believed', async () => {
    const answers = await startSwapping(port)
    const client = createNodeClient(key, () => 0)
    const url = `http://127.0.0.1:${answers.port}`
    assert.equal((await client.call({ id: NODE, url }, { call: 'hello' })).status, 'done')
    await assert.rejects(client.call({ id: NODE, url }, { call: 'hello' }), /does not answer as a node/)
    await client.close()
    answers.close()
  })
})

describe('the port for nodes with TLS', () => {
  let server: NodeServer
  let tls: NodeTls
  let port: number
  let byAddress: string
  before(async () => {
    tls = (await readNodeTls(NODE_TLS_FILES)) as NodeTls
    port = await freePort()
    byAddress = `https://127.0.0.1:${port}`
    server = await startNodeServer('127.0.0.1', port, { ...partsOf(() => undefined), tls })
  })
  after(() => server.close())

  async function hello(security: NodeTls | undefined, url: string): Promise<unknown> {
    const client = createNodeClient(key, () => 0, security)
    try {
      return await client.call({ id: NODE, url }, { call: 'hello' })
    } finally {
      await client.close()
    }
  }
  const ANSWER = { status: 'done', result: NODE }

  test('nodes with certificates of the same authority reach each other, by the address or by a common name', async () => {
    assert.deepEqual(await hello(tls, byAddress), ANSWER)
    assert.deepEqual(await hello({ ...tls, name: 'switchboard-node' }, byAddress), ANSWER)
    await assert.rejects(hello({ ...tls, name: 'another-name' }, byAddress), { carriedOut: 'no' })
  })

  test('refused: a caller without a certificate, with one of another authority, and one without TLS', async () => {
    const stranger = { files: { ...certificate('trusted'), ca: tls.files.ca } }
    const nameless = { files: { ca: tls.files.ca } as NodeTls['files'] }
    for (const security of [stranger, nameless]) await assert.rejects(hello(security, byAddress))
    await assert.rejects(hello(undefined, byAddress.replace('https', 'http')))
  })

  test('a node whose certificate is of another authority is not called', async () => {
    const otherPort = await freePort()
    const files = { ...certificate('trusted'), ca: tls.files.ca }
    const other = await startNodeServer('127.0.0.1', otherPort, {
      ...partsOf(() => undefined),
      tls: { files },
    })
    await assert.rejects(hello(tls, `https://127.0.0.1:${otherPort}`), { carriedOut: 'no' })
    await other.close()
  })

  test('a file that cannot be used is named by its setting', async () => {
    const missing = { ...NODE_TLS_FILES, NODE_CA_FILE: '/nowhere' }
    await assert.rejects(readNodeTls(missing), /NODE_CA_FILE: the file cannot be read/)
    const swapped = { ...NODE_TLS_FILES, NODE_KEY_FILE: NODE_TLS_FILES.NODE_CERT_FILE }
    await assert.rejects(readNodeTls(swapped), /NODE_KEY_FILE: expected the key/)
    assert.equal(await readNodeTls({}), undefined)
  })
})

const partsOf = (wake: () => void) => ({
  nodeId: NODE,
  key,
  clock: () => 0,
  callSession: async () => undefined,
  wake,
  receiveUses: () => undefined,
})

/** Passes calls on to a node. From the second on it gives the first answer in place of the right one. */
async function startSwapping(port: number): Promise<{ port: number; close(): void }> {
  let first: Buffer | undefined
  const between = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', (request) => {
      const target = connect(port, '127.0.0.1').on('error', () => undefined)
      target.write(request)
      target.once('data', (answer: Buffer) => {
        first ??= answer
        socket.end(first)
        target.destroy()
      })
    })
  }).listen(0, '127.0.0.1')
  await once(between, 'listening')
  return { port: (between.address() as AddressInfo).port, close: () => between.close() }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
