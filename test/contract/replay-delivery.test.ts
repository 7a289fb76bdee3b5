import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { prepareHooks } from './webhook-rules.ts'

contract('POST /webhooks/{id}/deliveries/{deliveryId}/replay', (gateway) => {
  const prepared = prepareHooks(gateway)

  test('200 sends the same bytes again with the same id, and keeps earlier attempts', async () => {
    const { mine, id, receiver, happen, deliveryLike } = await prepared()
    await happen()
    await receiver.until(1)
    const { id: deliveryId } = await deliveryLike((each) => each.status === 'delivered')
    const answer = await mine.call('replayDelivery', { params: { id, deliveryId } })
    assert.equal(answer.status, 200)
    const { delivery } = answer.json
    assert.deepEqual(
      [delivery.id, delivery.status, delivery.tries, delivery.deliveredAt, delivery.attempts.length],
      [deliveryId, 'pending', 0, null, 1],
    )
    const [first, second] = await receiver.until(2)
    assert.equal(second?.headers['webhook-id'], first?.headers['webhook-id'])
    assert.equal(second?.body, first?.body)
    const again = await deliveryLike((each) => each.status === 'delivered')
    assert.deepEqual([again.tries, again.attempts.length], [1, 2])
  })

  test('200 sends a retrying delivery at once', async () => {
    const { mine, id, receiver, happen, deliveryLike } = await prepared()
    receiver.answer = (response) => void response.writeHead(500, { 'Retry-After': '3600' }).end()
    await happen()
    const { id: deliveryId } = await deliveryLike((each) => each.status === 'retrying')
    receiver.answer = (response) => void response.end()
    await mine.call('replayDelivery', { params: { id, deliveryId } })
    await receiver.until(2)
    const { attempts } = await deliveryLike((each) => each.status === 'delivered')
    assert.deepEqual(
      attempts.map((attempt: { status: number }) => attempt.status),
      [500, 200],
    )
  })

  test('404 when the webhook or delivery does not exist', async () => {
    const { mine, id } = await prepared()
    const replay = (params: { id: number; deliveryId: number }) => mine.call('replayDelivery', { params })
    assert.equal((await replay({ id: 999_999, deliveryId: 1 })).json.reason, 'webhook_not_found')
    assert.equal((await replay({ id, deliveryId: 999_999_999 })).json.reason, 'delivery_not_found')
  })
})
