// The sandbox calls through the gateway, as a program uses them: typed, documented, and no others.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type Client, ClientError, createClient } from '../../src/contract/client.ts'
import { fullPath, type Route, reasonsOf } from '../../src/contract/route.ts'
import { sandboxRoutes } from '../../src/contract/sandbox.ts'
import { exchange, request } from '../contract/raw-http.ts'
import { type SandboxWorld, startSandboxWorld, until } from '../support/sandbox-world.ts'

const OWNER = '5511970000001'
const ANA = '5511970000002'

describe('the simulated world over the typed client', () => {
  let gateway: SandboxWorld
  let client: Client
  before(async () => {
    gateway = await startSandboxWorld()
    client = createClient({ baseUrl: gateway.app.url, key: gateway.key })
  })
  after(() => gateway.stop())

  test('a phone can be created, scan, send and receive', async () => {
    await client.sandboxCreatePhone({ body: { number: OWNER, name: 'Owner' } })
    await client.sandboxCreatePhone({ body: { number: ANA, name: 'Ana' } })
    const { instance } = await client.createInstance({ body: { instanceName: 'Typed' } })
    const instanceName = instance.apiInstanceName
    const { device } = await client.sandboxScan({ params: { number: OWNER }, body: { instanceName } })
    assert.equal(device?.number, OWNER)

    const sent = await client.sendText({ body: { instanceName, number: ANA, message: 'Olá', delay: 0 } })
    const query = { waitMs: '20000' }
    const shown = await client.sandboxGetMessage({ params: { number: ANA, id: sent.messageId }, query })
    assert.equal(shown.message.text, 'Olá')

    const picture = Buffer.from('not really a picture').toString('base64')
    const { messageId } = await client.sandboxSend({
      params: { number: ANA },
      body: { to: OWNER, media: { type: 'document', base64: picture, fileName: 'a.txt' } },
    })
    await client.sandboxGetMessage({ params: { number: OWNER, id: messageId }, query })
    const media = await client.sandboxGetMedia({ params: { number: OWNER, id: messageId } })
    assert.equal(Buffer.from(media.bytes).toString(), 'not really a picture')
  })

  test('a file of many megabytes can be uploaded and downloaded unchanged', async () => {
    const file = randomBytes(12 * 1024 * 1024 + 5)
    const { messageId } = await client.sandboxSendMedia({
      params: { number: ANA },
      query: { to: OWNER, type: 'document', fileName: 'large.bin', caption: 'all of it' },
      file: { bytes: file, contentType: 'application/x-large' },
    })
    const { message } = await client.sandboxGetMessage({
      params: { number: OWNER, id: messageId },
      query: { waitMs: '20000' },
    })
    assert.deepEqual(
      [message.media?.sizeBytes, message.media?.mimetype, message.media?.fileName, message.text],
      [file.length, 'application/x-large', 'large.bin', 'all of it'],
    )
    const media = await client.sandboxGetMedia({ params: { number: OWNER, id: messageId } })
    assert.ok(file.equals(Buffer.from(media.bytes)))
    assert.equal(media.contentType, 'application/x-large')
  })

  test('an interrupted upload leaves no file and sends nothing', async () => {
    const directory = join(gateway.directory, 'media')
    const drafts = async () => (await readdir(directory)).filter((name) => name.endsWith('.part'))
    const { cursor } = await client.sandboxListMessages({ params: { number: ANA } })
    const { hostname, port } = new URL(gateway.app.url)
    const socket = connect({ host: hostname, port: Number(port) })
    const target = `/sandbox/v1/phones/${ANA}/media?to=${OWNER}&type=document`
    const lines = [`Authorization: Bearer ${gateway.key}`, 'Content-Length: 50000000']
    socket.write(request('POST', target, lines))
    socket.write(Buffer.alloc(3_000_000))
    await until(drafts, (found) => found.length === 1, 'the draft')
    socket.destroy()
    await until(drafts, (found) => found.length === 0, 'the end of the draft')
    const { messages } = await client.sandboxListMessages({
      params: { number: ANA },
      query: { after: String(cursor) },
    })
    assert.deepEqual(messages, [])
  })

  test('an upload without a file, or to a number that no phone has, is refused', async () => {
    const refused = async (to: string, bytes: Buffer<ArrayBuffer>) => {
      const sending = client.sandboxSendMedia({
        params: { number: ANA },
        query: { to, type: 'image' },
        file: { bytes },
      })
      return sending.then(
        () => 'sent',
        (error: unknown) => (error as ClientError).reason,
      )
    }
    assert.equal(await refused(OWNER, Buffer.alloc(0)), 'invalid_request')
    assert.equal(await refused('5511999999999', Buffer.from('x')), 'number_not_registered')
    assert.equal(await refused('5511999999999', Buffer.alloc(2_000_000)), 'number_not_registered')
  })

  test('a file that a phone received cannot become a page of the dashboard’s origin', async () => {
    const page = Buffer.from('<script>alert(1)</script>').toString('base64')
    const { messageId } = await client.sandboxSend({
      params: { number: ANA },
      body: { to: OWNER, media: { type: 'document', base64: page, mimetype: 'text/html' } },
    })
    await client.sandboxGetMessage({ params: { number: OWNER, id: messageId }, query: { waitMs: '20000' } })
    const address = new URL(`/sandbox/v1/phones/${OWNER}/messages/${messageId}/media`, gateway.app.url)
    const { headers } = await fetch(address, { headers: { authorization: `Bearer ${gateway.key}` } })
    assert.equal(headers.get('content-security-policy'), "default-src 'none'; sandbox")
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
  })

  test('a request target in absolute form reaches the same call, and another method gets 405', async () => {
    const ask = (method: string, target: string) =>
      exchange(gateway.app.url, request(method, target, [`Authorization: Bearer ${gateway.key}`]))
    const absolute = await ask('GET', `http://gateway/sandbox/v1/phones/${ANA}`)
    assert.deepEqual([absolute.status, absolute.json?.phone?.number], [200, ANA])
    const wrong = await ask('PUT', `/sandbox/v1/phones/${ANA}`)
    assert.deepEqual([wrong.status, wrong.json.reason], [405, 'method_not_allowed'])
  })

  test('a long poll does not delay the stop of the server', async () => {
    const own = await startSandboxWorld()
    const waiter = createClient({ baseUrl: own.app.url, key: own.key })
    const { cursor } = await waiter.sandboxListChanges()
    const waiting = waiter.sandboxListChanges({ query: { after: cursor, waitMs: '30000' } }).then(
      () => 'an answer',
      (error: unknown) => (error instanceof ClientError ? error.reason : String(error)),
    )
    // Answered after it: the call that waits has arrived.
    await waiter.sandboxListPhones()
    await own.stop()
    assert.equal(await waiting, 'unavailable')
  })

  test('refusals have the reasons that their routes declare', async () => {
    const refusals: [route: Route, status: number, work: () => Promise<unknown>][] = [
      [
        sandboxRoutes.sandboxGetPhone,
        404,
        () => client.sandboxGetPhone({ params: { number: '5511999999999' } }),
      ],
      [sandboxRoutes.sandboxGetPhone, 400, () => client.sandboxGetPhone({ params: { number: 'one' } })],
      [sandboxRoutes.sandboxGetGroup, 404, () => client.sandboxGetGroup({ params: { jid: '1@g.us' } })],
      [
        sandboxRoutes.sandboxScan,
        404,
        () => client.sandboxScan({ params: { number: OWNER }, body: { instanceName: 'unknown-00000000' } }),
      ],
      [sandboxRoutes.sandboxScan, 400, () => client.sandboxScan({ params: { number: OWNER }, body: {} })],
    ]
    for (const [route, status, work] of refusals) {
      const error = await work().then(
        () => undefined,
        (reason: unknown) => reason,
      )
      assert.ok(error instanceof ClientError, route.id)
      assert.equal(error.status, status, route.id)
      assert.ok(
        reasonsOf(route).some((reason) => reason === error.reason),
        `${route.id} ${error.reason}`,
      )
    }
  })

  test('the OpenAPI document lists every call', async () => {
    const document = await fetch(new URL('/openapi.json', gateway.app.url))
    const { paths } = (await document.json()) as { paths: Record<string, Record<string, unknown>> }
    for (const route of Object.values<Route>(sandboxRoutes)) {
      assert.ok(paths[fullPath(route)]?.[route.method.toLowerCase()], route.id)
    }
  })

  test('no path leads beyond the calls of the sandbox', async () => {
    const headers = [`Authorization: Bearer ${gateway.key}`]
    for (const path of [
      '/sandbox/v1/../media',
      '/sandbox/v1/phones/../../x',
      '/sandbox/v1/phones/..',
      '/sandbox/v1/x',
    ]) {
      const { status } = await exchange(gateway.app.url, request('GET', path, headers))
      assert.ok(status === 404 || status === 400, `${path}: ${status}`)
    }
  })
})
