import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { prepareHooks } from './webhook-rules.ts'

contract('GET /webhooks/{id}/deliveries/{deliveryId}', (gateway) => {
  const prepared = prepareHooks(gateway)

  test('200 returns headers and body as sent, without the secret', async () => {
    const { mine, id, secret, receiver, happen, deliveryLike } = await prepared()
    await happen('Olá 👋\u2028')
    const [got] = await receiver.until(1)
    const listed = await deliveryLike((each) => each.status === 'delivered')
    const answer = await mine.call('getDelivery', { params: { id, deliveryId: listed.id } })
    assert.equal(answer.status, 200)
    const { body, attempts, ...rest } = answer.json.delivery
    assert.equal(body, got?.body)
    const { headers, ...attempt } = attempts[0]
    assert.deepEqual({ ...rest, attempts: [attempt] }, listed)
    for (const [name, value] of Object.entries(headers))
      assert.equal(got?.headers[name.toLowerCase()], value, name)
    assert.ok(Object.keys(headers).includes('X-Service-Signature'))
    assert.ok(!answer.bytes.includes(secret.slice('whsec_'.length)))
  })

  test('404 when the webhook or delivery does not exist, or the delivery is of another webhook', async () => {
    const { mine, id, receiver, happen, deliveryLike } = await prepared()
    const other = await prepared()
    await happen()
    await receiver.until(1)
    const { id: deliveryId } = await deliveryLike(() => true)
    const get = (params: { id: number; deliveryId: number }) => mine.call('getDelivery', { params })
    assert.equal((await get({ id: 999_999, deliveryId })).json.reason, 'webhook_not_found')
    assert.equal((await get({ id, deliveryId: 999_999_999 })).json.reason, 'delivery_not_found')
    assert.equal((await get({ id: other.id, deliveryId })).json.reason, 'delivery_not_found')
  })
})
