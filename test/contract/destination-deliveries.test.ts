// POST /destinations/{id}/test, the deliveries of destinations, and replays
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { eventIn, LOGIN, prepareQueues } from './destination-rules.ts'

contract('POST /destinations/{id}/test', (gateway) => {
  const prepared = prepareQueues(gateway)

  test('200 sends a test event and returns message and confirmation', async () => {
    const { mine, id, receiver } = await prepared({ enabled: false })
    const answer = await mine.call('testDestination', { params: { id } })
    assert.equal(answer.status, 200, JSON.stringify(answer.json))
    const [got] = receiver.received
    assert.ok(got)
    const { delivered, attempt, request } = answer.json
    assert.deepEqual([delivered, attempt.status, attempt.error], [true, 200, null])
    assert.equal(request.body, got.json.MessageBody)
    assert.equal(request.headers.event, 'destination.test')
    const event = eventIn(got)
    assert.deepEqual([event.event, event.instance, event.data.destinationId], ['destination.test', null, id])
    assert.equal((await mine.call('listDestinationDeliveries', { params: { id } })).json.count, 0)
  })

  test('200 returns delivered: false when the queue refuses, without text of the host', async () => {
    const { mine, id, receiver } = await prepared()
    receiver.answer = (response) =>
      void response
        .writeHead(400)
        .end('{"__type":"com.amazonaws.sqs#QueueDoesNotExist","message":"<b>secret</b>"}')
    const answer = await mine.call('testDestination', { params: { id } })
    assert.deepEqual([answer.json.delivered, answer.json.attempt.status], [false, 400])
    assert.equal(answer.json.attempt.error, 'SQS answered with status 400 (QueueDoesNotExist).')
    const { destination } = (await mine.call('getDestination', { params: { id } })).json
    assert.deepEqual([destination.enabled, destination.failingSince], [true, null])
  })

  test('200 reports a broker that cannot be reached', async () => {
    const { mine, id, receiver } = await prepared()
    await receiver.close()
    const answer = await mine.call('testDestination', { params: { id } })
    assert.deepEqual(
      [answer.json.delivered, answer.json.attempt.status, answer.json.attempt.error],
      [false, null, 'The host could not be reached.'],
    )
  })

  test('429 when another test of the destination is running', async () => {
    const { mine, id, receiver } = await prepared()
    const requested = Promise.withResolvers<() => void>()
    receiver.answer = (response) => requested.resolve(() => void response.end())
    const first = mine.call('testDestination', { params: { id } })
    const end = await requested.promise
    const second = await mine.call('testDestination', { params: { id } })
    assert.deepEqual([second.status, second.json.reason], [429, 'rate_limited'])
    end()
    assert.equal((await first).json.delivered, true)
  })

  test('404 when the destination does not exist', async () => {
    const answer = await (await prepared()).mine.call('testDestination', { params: { id: 999_999 } })
    assert.equal(answer.json.reason, 'destination_not_found')
  })
})

contract('GET /destinations/{id}/deliveries', (gateway) => {
  const prepared = prepareQueues(gateway)

  test('200 returns a delivery with its attempt, and failures with the next time', async () => {
    const { mine, id, receiver, happen, deliveryLike } = await prepared({ events: ['messages.upsert'] })
    const messageId = await happen()
    const [got] = await receiver.until(1)
    assert.ok(got)
    const event = eventIn(got)
    assert.equal(event.data.messageId, messageId)
    const delivered = await deliveryLike((each) => each.status === 'delivered')
    assert.deepEqual([delivered.eventId, delivered.event, delivered.tries], [event.id, 'messages.upsert', 1])
    receiver.answer = (response) => void response.writeHead(503, { 'Retry-After': '600' }).end()
    await happen()
    const failed = await deliveryLike((each) => each.status === 'retrying')
    assert.equal(failed.attempts[0].error, 'SQS answered with status 503.')
    const waitMs = Date.parse(failed.nextTryAt) - Date.parse(failed.attempts[0].at)
    assert.ok(waitMs >= 600_000 && waitMs < 700_000, `${waitMs} ms`)
    const { failingSince } = (await mine.call('getDestination', { params: { id } })).json.destination
    assert.notEqual(failingSince, null)
    const query = { status: 'dead' }
    assert.equal((await mine.call('listDestinationDeliveries', { params: { id }, query })).json.count, 0)
  })

  test('200 counts a confirmation as a success of the destination', async () => {
    const { mine, id, receiver, happen, deliveryLike } = await prepared()
    receiver.answer = (response) => void response.writeHead(500, { 'Retry-After': '3600' }).end()
    await happen()
    await deliveryLike((each) => each.status === 'retrying')
    receiver.answer = (response) => void response.end('{}')
    await happen()
    await deliveryLike((each) => each.status === 'delivered')
    const { failingSince } = (await mine.call('getDestination', { params: { id } })).json.destination
    assert.equal(failingSince, null)
  })

  test('400 when status, page or limit is not valid', async () => {
    const { mine, id } = await prepared()
    for (const query of [{ status: 'lost' }, { page: 0 }, { limit: 101 }] as const)
      assert.equal((await mine.call('listDestinationDeliveries', { params: { id }, query })).status, 400)
  })

  test('404 when the destination does not exist', async () => {
    const { mine } = await prepared()
    const answer = await mine.call('listDestinationDeliveries', { params: { id: 999_999 } })
    assert.equal(answer.json.reason, 'destination_not_found')
  })
})

contract('GET /destinations/{id}/deliveries/{deliveryId}', (gateway) => {
  const prepared = prepareQueues(gateway)

  test('200 returns message and headers as sent, without credentials', async () => {
    const { mine, id, receiver, happen, deliveryLike } = await prepared()
    await happen('Olá 👋')
    const [got] = await receiver.until(1)
    const { id: deliveryId, eventId } = await deliveryLike((each) => each.status === 'delivered')
    const answer = await mine.call('getDestinationDelivery', { params: { id, deliveryId } })
    const { body, attempts } = answer.json.delivery
    assert.equal(body, got?.json.MessageBody)
    assert.equal(attempts[0].headers.id, eventId)
    for (const secret of [LOGIN.password, 'authorization']) assert.ok(!answer.bytes.includes(secret))
  })

  test('404 when the destination or delivery does not exist', async () => {
    const { mine, id } = await prepared()
    const read = (params: { id: number; deliveryId: number }) =>
      mine.call('getDestinationDelivery', { params })
    assert.equal((await read({ id: 999_999, deliveryId: 1 })).json.reason, 'destination_not_found')
    assert.equal((await read({ id, deliveryId: 999_999_999 })).json.reason, 'delivery_not_found')
  })
})

contract('POST /destinations/{id}/deliveries/{deliveryId}/replay', (gateway) => {
  const prepared = prepareQueues(gateway)

  test('200 sends the same message again with the same id, and keeps earlier attempts', async () => {
    const { mine, id, receiver, happen, deliveryLike } = await prepared()
    await happen()
    await receiver.until(1)
    const { id: deliveryId } = await deliveryLike((each) => each.status === 'delivered')
    const answer = await mine.call('replayDestinationDelivery', { params: { id, deliveryId } })
    assert.deepEqual([answer.json.delivery.status, answer.json.delivery.attempts.length], ['pending', 1])
    const [first, second] = await receiver.until(2)
    assert.equal(second?.json.MessageBody, first?.json.MessageBody)
    const again = await deliveryLike((each) => each.status === 'delivered')
    assert.deepEqual([again.tries, again.attempts.length], [1, 2])
  })

  test('404 when the destination or delivery does not exist', async () => {
    const { mine, id } = await prepared()
    const replay = (params: { id: number; deliveryId: number }) =>
      mine.call('replayDestinationDelivery', { params })
    assert.equal((await replay({ id: 999_999, deliveryId: 1 })).json.reason, 'destination_not_found')
    assert.equal((await replay({ id, deliveryId: 999_999_999 })).json.reason, 'delivery_not_found')
  })
})

contract('POST /destinations/{id}/replay', (gateway) => {
  const prepared = prepareQueues(gateway)

  test('200 sends events since then again in order, also those that happened while it was paused', async () => {
    const { mine, id, receiver, happen, clock } = await prepared({ events: ['messages.upsert'] })
    clock.advance(1000)
    const since = new Date(clock.now()).toISOString()
    await happen('delivered')
    await receiver.until(1)
    await mine.call('saveDestination', { body: { id, enabled: false } })
    await happen('missed')
    const answer = await mine.call('replayDestination', { params: { id }, body: { since } })
    assert.deepEqual([answer.json.queued, answer.json.complete], [2, true])
    await mine.call('saveDestination', { body: { id, enabled: true } })
    const got = (await receiver.until(3)).map((each) => eventIn(each))
    assert.deepEqual(
      got.map(({ data }) => data.text),
      ['delivered', 'delivered', 'missed'],
    )
    assert.equal(got[1].id, got[0].id)
  })

  test('400 when since is missing or not a time', async () => {
    const { mine, id } = await prepared()
    for (const body of [{}, { since: 'yesterday' }])
      assert.equal((await mine.call('replayDestination', { params: { id }, body })).status, 400)
  })

  test('404 when the destination does not exist', async () => {
    const { mine } = await prepared()
    const body = { since: '2026-01-31T12:00:00.000Z' }
    const answer = await mine.call('replayDestination', { params: { id: 999_999 }, body })
    assert.equal(answer.json.reason, 'destination_not_found')
  })
})
