// The typed client with a real gateway, and with other servers.
// Not a unit test: unit tests that mock timers would stop the timers of a gateway in the same process.
import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { ClientError, createClient } from '../../src/contract/client.ts'
import { routes } from '../../src/contract/routes.ts'
import { sandboxRoutes } from '../../src/contract/sandbox.ts'
import { behaviourContract } from '../support/behaviour-contract.ts'
import { randomNumber } from '../support/gateway.ts'

const refused = async (work: Promise<unknown>): Promise<ClientError> => {
  const error = await work.then(
    () => assert.fail('the call was answered'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof ClientError, String(error))
  return error
}

async function withServer(answer: RequestListener, work: (baseUrl: string) => Promise<void>): Promise<void> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    await new Promise((resolve) => server.close(resolve))
  }
}

behaviourContract('the typed client', (gateway) => {
  const account = async (plan?: Record<string, unknown>) => {
    const running = await gateway()
    const made = await running.account(plan)
    return { running, made, client: createClient({ baseUrl: running.url, key: made.key }) }
  }

  test('has one method per route', async () => {
    const client = createClient({ baseUrl: '' })
    assert.deepEqual(Object.keys(client).sort(), Object.keys({ ...routes, ...sandboxRoutes }).sort())
  })

  test('sends query, body and path parameters, and returns the response', async () => {
    const { running, made, client } = await account()
    const { name } = await running.openInstance(made)
    const number = randomNumber()
    const sent = await client.sendText({ body: { instanceName: name, number, message: 'Olá 👋', delay: 0 } })
    assert.equal(sent.status, 'queued')
    const read = await client.getMessage({ params: { messageId: sent.messageId } })
    assert.deepEqual(read.message.content, { message: 'Olá 👋' })
    const listed = await client.listMessages({ query: { instanceName: name, number, limit: '1' } })
    assert.deepEqual(
      listed.messages.map((message) => message.messageId),
      [sent.messageId],
    )
    assert.equal((await client.listInstances()).count, 1)
    assert.equal((await client.listMessages()).limit, 50)
  })

  test('sends one message for the same idempotency key', async () => {
    const { running, made, client } = await account()
    const { name } = await running.openInstance(made)
    const body = { instanceName: name, number: randomNumber(), message: 'once' }
    const first = await client.sendText({ body }, { idempotencyKey: 'order-1' })
    const second = await client.sendText({ body }, { idempotencyKey: 'order-1' })
    assert.equal(second.messageId, first.messageId)
  })

  test('returns files as bytes', async () => {
    const { client } = await account()
    const { instance } = await client.createInstance({ body: { instanceName: 'Support' } })
    const image = await client.qrImage({ query: { instanceName: instance.apiInstanceName } })
    assert.equal(image.contentType, 'image/png')
    assert.deepEqual([...image.bytes.subarray(1, 4)], [...Buffer.from('PNG')])
  })

  test('calls the operator API with the operator key, and system routes without a key', async () => {
    const { running, made } = await account()
    const operator = createClient({ baseUrl: running.url, key: running.app.operatorKey })
    const { account: shown } = await operator.adminGetAccount({ params: { id: String(made.id) } })
    assert.equal(shown.plan.id, made.planId)
    assert.equal((await createClient({ baseUrl: `${running.url}/` }).healthz()).status, 'ok')
  })

  test('throws status, reason, details and request id of an error response', async () => {
    const { client } = await account()
    const body = { instanceName: 'x', number: 'not a number', message: 'hi' }
    const error = await refused(client.sendText({ body }))
    assert.deepEqual([error.status, error.reason], [400, 'invalid_request'])
    assert.equal(error.details[0]?.path, 'number')
    assert.match(error.requestId ?? '', /^req-/)
    assert.match(error.message, /number/)
    const unknown = await refused(client.instanceState({ query: { instanceName: 'unknown-00000000' } }))
    assert.deepEqual([unknown.status, unknown.reason, unknown.details], [404, 'instance_not_found', []])
  })

  test('throws the seconds to wait for a temporary error', async () => {
    const { running, client } = await account()
    const { instance } = await client.createInstance({ body: { instanceName: 'Support' } })
    const { qr } = running.sessions.script
    running.sessions.script.qr = () => null
    try {
      const error = await refused(client.qrImage({ query: { instanceName: instance.apiInstanceName } }))
      assert.deepEqual([error.status, error.reason, error.retryAfter], [503, 'qr_not_ready', 2])
    } finally {
      running.sessions.script.qr = qr
    }
  })

  test('encodes path parameters, so that they cannot change the path', async () => {
    const { client } = await account()
    for (const messageId of ['..', '.', '']) {
      const error = await refused(client.cancelMessage({ params: { messageId } }))
      assert.deepEqual([error.status, error.reason], [0, 'invalid_request'])
    }
    const slash = await refused(client.getMessage({ params: { messageId: '../instance/list' } }))
    assert.equal(slash.reason, 'message_not_found')
  })

  test('a wrong call is a type error', async () => {
    const { client } = await account()
    const wrong = [
      // @ts-expect-error -- the body is required
      () => client.sendText(),
      // @ts-expect-error -- the message is required
      () => client.sendText({ body: { instanceName: 'x', number: '5511912345678' } }),
      // @ts-expect-error -- there is no such status
      () => client.listMessages({ query: { status: 'lost' } }),
    ]
    for (const call of wrong) assert.equal((await refused(call())).status, 400)
  })
})

test('throws a ClientError with status 0 when there is no answer', async () => {
  let address = ''
  await withServer(
    () => undefined,
    async (baseUrl) => void (address = baseUrl),
  )
  const error = await refused(createClient({ baseUrl: address, key: 'k'.repeat(32) }).listInstances())
  assert.deepEqual([error.status, error.reason], [0, 'unreachable'])
  assert.doesNotMatch(error.message, /kkkk/)
})

test('throws unreadable_answer for an answer of another server, and does not follow redirects', async () => {
  const seen: string[] = []
  await withServer(
    (request, response) => {
      seen.push(request.url ?? '')
      if (request.url === '/healthz') response.end('<html>It works!</html>')
      else response.writeHead(302, { location: '/elsewhere' }).end()
    },
    async (baseUrl) => {
      const client = createClient({ baseUrl, key: 'k'.repeat(32) })
      assert.deepEqual(await refused(client.healthz()).then(({ status, reason }) => [status, reason]), [
        200,
        'unreadable_answer',
      ])
      assert.equal((await refused(client.listInstances())).status, 302)
    },
  )
  assert.deepEqual(seen, ['/healthz', '/api/v1/instance/list'])
})

test('rejects with the abort reason of the caller', async () => {
  await withServer(
    () => undefined,
    async (baseUrl) => {
      const reason = new Error('enough')
      const call = createClient({ baseUrl }).healthz(undefined, { signal: AbortSignal.abort(reason) })
      await assert.rejects(call, reason)
    },
  )
})
