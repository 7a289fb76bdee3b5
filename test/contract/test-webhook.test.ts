import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { startCloudReceiver } from '../support/cloud.ts'
import { contract } from '../support/gateway.ts'
import { prepareHooks } from './webhook-rules.ts'

contract('POST /webhooks/{id}/test', (gateway) => {
  const prepared = prepareHooks(gateway)

  test('200 sends a signed test event and returns request and response', async () => {
    const { mine, id, secret, receiver } = await prepared()
    receiver.answer = (response) => void response.end('hello')
    const answer = await mine.call('testWebhook', { params: { id } })
    assert.equal(answer.status, 200)
    const [got] = receiver.received
    assert.ok(got)
    assert.equal(answer.json.delivered, true)
    assert.deepEqual(
      [answer.json.attempt.status, answer.json.attempt.answer, answer.json.attempt.error],
      [200, 'hello', null],
    )
    assert.equal(answer.json.request.body, got.body)
    assert.equal(got.headers['x-service-event'], 'webhook.test')
    assert.deepEqual([got.json.event, got.json.sequence, got.json.instance], ['webhook.test', 0, null])
    assert.equal(got.json.data.webhookId, id)
    const signed = `${String(got.headers['x-service-timestamp'])}.${got.body}`
    assert.equal(
      got.headers['x-service-signature'],
      createHmac('sha256', secret).update(signed).digest('hex'),
    )
    const list = await mine.call('listDeliveries', { params: { id } })
    assert.equal(list.json.count, 0, 'a test does not count as a delivery')
  })

  test('200 posts the test event to a webhook with batches in their form', async () => {
    const { mine, id, secret, receiver } = await prepared({ batch: true })
    const answer = await mine.call('testWebhook', { params: { id } })
    const [got] = receiver.received
    assert.ok(got)
    assert.deepEqual([answer.json.delivered, got.headers['x-service-event']], [true, 'batch'])
    assert.deepEqual([got.json.event, got.json.id], ['batch', got.headers['webhook-id']])
    assert.deepEqual(
      got.json.events.map(({ event }: { event: string }) => event),
      ['webhook.test'],
    )
    const signed = `${String(got.headers['x-service-timestamp'])}.${got.body}`
    assert.equal(
      got.headers['x-service-signature'],
      createHmac('sha256', secret).update(signed).digest('hex'),
    )
  })

  test('200 posts a status in the form of the Cloud API to a webhook of that format', async () => {
    const { mine, instance } = await prepared()
    const receiver = await startCloudReceiver('a-token')
    const body = {
      url: receiver.namedUrl,
      format: 'cloud',
      verifyToken: 'a-token',
      instanceName: instance.name,
    }
    const { webhook } = (await mine.call('saveWebhook', { body })).json
    const answer = await mine.call('testWebhook', { params: { id: webhook.id } })
    const [got] = receiver.posted
    assert.ok(got)
    assert.deepEqual([answer.json.delivered, answer.json.request.body], [true, got.body])
    const [status] = got.value.statuses
    assert.deepEqual(
      [got.value.metadata.phone_number_id, status.status, status.id.startsWith(`test_${webhook.id}_`)],
      [instance.name, 'sent', true],
    )
    assert.equal(
      got.headers['x-hub-signature-256'],
      `sha256=${createHmac('sha256', webhook.secret).update(got.body).digest('hex')}`,
    )
    await receiver.close()
  })

  test('200 with the reason when a form needs an instance and the account has none', async () => {
    const { account } = await prepared()
    const receiver = await startCloudReceiver('a-token')
    const body = { url: receiver.namedUrl, format: 'cloud', verifyToken: 'a-token' }
    const empty = await account()
    const { webhook } = (await empty.call('saveWebhook', { body })).json
    const { delivered, attempt } = (await empty.call('testWebhook', { params: { id: webhook.id } })).json
    assert.deepEqual([delivered, receiver.posted.length], [false, 0])
    assert.match(attempt.error, /needs an instance/)
    await receiver.close()
  })

  test('200 returns delivered: false when the receiver refuses, without effect on the webhook', async () => {
    const { mine, id, receiver } = await prepared()
    receiver.answer = (response) => void response.writeHead(410).end()
    const answer = await mine.call('testWebhook', { params: { id } })
    assert.deepEqual([answer.status, answer.json.delivered, answer.json.attempt.status], [200, false, 410])
    const { webhook } = (await mine.call('getWebhook', { params: { id } })).json
    assert.deepEqual([webhook.enabled, webhook.failingSince], [true, null])
  })

  test('200 tests a disabled webhook, and reports an unreachable host', async () => {
    const { mine, id, receiver } = await prepared({ enabled: false })
    await receiver.close()
    const answer = await mine.call('testWebhook', { params: { id } })
    assert.deepEqual(
      [answer.json.delivered, answer.json.attempt.status, answer.json.attempt.error],
      [false, null, 'The host could not be reached.'],
    )
  })

  test('429 when another test of the webhook is running', async () => {
    const { mine, id, receiver } = await prepared()
    const requested = Promise.withResolvers<() => void>()
    receiver.answer = (response) => requested.resolve(() => void response.end())
    const first = mine.call('testWebhook', { params: { id } })
    const end = await requested.promise
    const second = await mine.call('testWebhook', { params: { id } })
    assert.deepEqual([second.status, second.json.reason], [429, 'rate_limited'])
    end()
    assert.equal((await first).json.delivered, true)
  })

  test('404 when the webhook does not exist', async () => {
    const { mine } = await prepared()
    const answer = await mine.call('testWebhook', { params: { id: 999_999 } })
    assert.equal(answer.json.reason, 'webhook_not_found')
  })
})
