import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { prepareHooks } from './webhook-rules.ts'

contract('GET /webhooks/{id}/deliveries', (gateway) => {
  const prepared = prepareHooks(gateway)

  test('200 returns a signed delivery with its attempt', async () => {
    const { mine, id, secret, receiver, instance, happen, deliveryLike } = await prepared()
    receiver.answer = (response) => void response.writeHead(202).end('taken')
    const messageId = await happen()
    const [got] = await receiver.until(1)
    assert.ok(got)
    const timestamp = got.headers['x-service-timestamp']
    const expected = createHmac('sha256', secret)
      .update(`${String(timestamp)}.${got.body}`)
      .digest('hex')
    assert.equal(got.headers['x-service-signature'], expected)
    assert.equal(got.headers['x-service-event'], 'messages.upsert')
    assert.equal(got.headers['x-service-webhook-id'], String(id))
    assert.equal(got.headers['x-service-signature-previous'], undefined)
    assert.equal(got.headers['webhook-id'], got.json.id)
    assert.equal(got.headers['content-type'], 'application/json')
    assert.equal(got.json.data.messageId, messageId)
    assert.equal(got.json.instance.apiInstanceName, instance.name)
    const delivery = await deliveryLike((each) => each.status === 'delivered')
    const { attempts, ...rest } = delivery
    assert.deepEqual(rest, {
      id: delivery.id,
      eventId: got.json.id,
      event: 'messages.upsert',
      sequence: got.json.sequence,
      instance: got.json.instance,
      status: 'delivered',
      tries: 1,
      nextTryAt: null,
      createdAt: delivery.createdAt,
      deliveredAt: delivery.deliveredAt,
    })
    assert.equal(attempts.length, 1)
    const { at: _at, durationMs, ...attempt } = attempts[0]
    assert.ok(durationMs >= 0)
    assert.deepEqual(attempt, { status: 202, answer: 'taken', error: null })
    const failed = await mine.call('listDeliveries', { params: { id }, query: { status: 'dead' } })
    assert.deepEqual([failed.json.count, failed.json.deliveries], [0, []])
  })

  test('200 returns why an attempt failed, the time of the next one, and the response as plain text', async () => {
    const { receiver, happen, deliveryLike } = await prepared()
    receiver.answer = (response) =>
      void response
        .writeHead(503, { 'Retry-After': '600' })
        .end(Buffer.from('no\u0000 \u202ethanks <b>\u001b[31m \ud83d\ude00\xff', 'utf8'))
    await happen()
    const delivery = await deliveryLike((each) => each.status === 'retrying')
    const [attempt] = delivery.attempts
    assert.equal(attempt.status, 503)
    assert.equal(attempt.error, 'The receiver answered with status 503.')
    assert.equal(attempt.answer, 'no\ufffd \ufffdthanks <b>\ufffd[31m \ud83d\ude00ÿ')
    const waitMs = Date.parse(delivery.nextTryAt) - Date.parse(attempt.at)
    assert.ok(waitMs >= 600_000 && waitMs < 700_000, `${waitMs} ms`)
  })

  test('200 returns at most 4 KiB of a response', async () => {
    const { receiver, happen, deliveryLike } = await prepared()
    receiver.answer = (response) => void response.end('é'.repeat(10_000))
    await happen()
    const { attempts } = await deliveryLike((each) => each.status === 'delivered')
    assert.equal(attempts[0].answer, 'é'.repeat(2048))
  })

  test('200 returns deliveries newest first, by page and status', async () => {
    const { mine, id, receiver, happen } = await prepared()
    receiver.answer = (response) => void response.writeHead(500).end()
    const sent = [await happen('1'), await happen('2'), await happen('3')]
    await receiver.until(3)
    const page = async (number: number) => {
      const query = { page: number, limit: 2 }
      return (await mine.call('listDeliveries', { params: { id }, query })).json
    }
    const [first, second] = [await page(1), await page(2)]
    assert.deepEqual([first.count, first.hasMore, first.page, first.limit], [2, true, 1, 2])
    assert.deepEqual([second.count, second.hasMore], [1, false])
    const sequences = [...first.deliveries, ...second.deliveries].map((each) => each.sequence)
    assert.deepEqual(
      sequences,
      sequences.toSorted((a, b) => b - a),
    )
    assert.equal(sequences.length, sent.length)
  })

  test('400 when status, page or limit is not valid', async () => {
    const { mine, id } = await prepared()
    for (const query of [{ status: 'lost' }, { page: 0 }, { limit: 0 }, { limit: 101 }] as const)
      assert.equal((await mine.call('listDeliveries', { params: { id }, query })).status, 400)
  })

  test('404 when the webhook does not exist', async () => {
    const { mine } = await prepared()
    const answer = await mine.call('listDeliveries', { params: { id: 999_999 } })
    assert.equal(answer.json.reason, 'webhook_not_found')
  })
})
