// POST /messages/{messageId}/approve and /reject
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract, type Gateway } from '../support/gateway.ts'
import { shared } from './fixture.ts'
import { UNKNOWN } from './sample-calls.ts'

const DAY_MS = 24 * 60 * 60 * 1000

const prepare = (gateway: () => Promise<Gateway>) =>
  shared(async () => {
    const running = await gateway()
    const mine = await running.account()
    const instance = await running.openInstance(mine)
    const agent = await mine.call('createApiKey', { body: { name: 'Agent', approval: true } })
    const key = agent.json.key as string
    const send = async (fields: object = {}): Promise<string> => {
      const body = { instanceName: instance.name, number: '5511912345678', message: 'hi', ...fields }
      const answer = await mine.call('sendText', { body, key })
      assert.deepEqual([answer.status, answer.json.status], [200, 'awaiting_approval'])
      return answer.json.messageId
    }
    const counts = () =>
      running.store.db
        .selectFrom('instances')
        .select(['queued_count as queued', 'scheduled_count as waiting'])
        .where('id', '=', instance.id)
        .executeTakeFirstOrThrow()
    const statuses = async (messageId: string): Promise<string[]> => {
      const { json } = await mine.call('listEvents', { query: { limit: 500 } })
      return json.events
        .filter((event: { data: { messageId?: string } }) => event.data.messageId === messageId)
        .map((event: { data: { status: string } }) => event.data.status)
    }
    return { ...running, mine, instance, key, send, counts, statuses }
  })

contract('POST /messages/{messageId}/approve', (gateway) => {
  const prepared = prepare(gateway)
  const approve = async (messageId: string, key?: string, query?: Record<string, string>) =>
    (await prepared()).mine.call('approveMessage', {
      params: { messageId },
      ...(key === undefined ? {} : { key }),
      ...(query && { query }),
    })

  test('200 queues a send that waits for approval, with an event for each status', async () => {
    const { send, counts, statuses, mine } = await prepared()
    const before = await counts()
    const messageId = await send()
    assert.deepEqual(await counts(), { ...before, waiting: before.waiting + 1 })
    const waiting = await mine.call('listMessages', { query: { status: 'awaiting_approval' } })
    assert.ok(waiting.json.messages.some((message: { messageId: string }) => message.messageId === messageId))
    const answer = await approve(messageId)
    assert.deepEqual([answer.status, answer.json.message.status], [200, 'queued'])
    assert.deepEqual(await counts(), { ...before, queued: before.queued + 1 })
    assert.deepEqual(await statuses(messageId), ['awaiting_approval', 'queued'])
  })

  test('200 leaves a send whose time is later scheduled', async () => {
    const { send, clock } = await prepared()
    const sendAt = new Date(clock.now() + 3_600_000).toISOString()
    const answer = await approve(await send({ sendAt }))
    assert.deepEqual([answer.json.message.status, answer.json.message.sendAt], ['scheduled', sendAt])
  })

  test('200 with Prefer: wait the send answers as waiting', async () => {
    const { mine, instance, key } = await prepared()
    const body = { instanceName: instance.name, number: '5511912345678', message: 'hi' }
    const answer = await mine.call('sendText', { body, key, headers: { prefer: 'wait=1' } })
    assert.equal(answer.json.status, 'awaiting_approval')
  })

  test('403 when the key sends with approval itself', async () => {
    const { send, key } = await prepared()
    const answer = await approve(await send(), key)
    assert.deepEqual([answer.status, answer.json.reason], [403, 'outside_walls'])
  })

  test('404 when there is no such message or instance', async () => {
    const { send } = await prepared()
    assert.equal((await approve(UNKNOWN.messageId)).json.reason, 'message_not_found')
    const elsewhere = await approve(await send(), undefined, { instanceName: UNKNOWN.instance })
    assert.equal(elsewhere.json.reason, 'instance_not_found')
  })

  test('409 for all but one of ten decisions at once', async () => {
    const { send, mine } = await prepared()
    const messageId = await send()
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        mine.call(index % 2 === 0 ? 'approveMessage' : 'rejectMessage', { params: { messageId } }),
      ),
    )
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    for (const { status, json } of answers)
      if (status !== 200) assert.deepEqual([status, json.reason], [409, 'message_not_awaiting_approval'])
  })

  test('409 when the send was not approved in time, which fails it', async () => {
    const { send, clock, mine, statuses } = await prepared()
    const messageId = await send()
    clock.advance(DAY_MS)
    assert.equal((await approve(messageId)).json.reason, 'message_not_awaiting_approval')
    const { json } = await mine.call('getMessage', { params: { messageId } })
    assert.deepEqual([json.message.status, json.message.failure.reason], ['failed', 'expired'])
    assert.deepEqual(await statuses(messageId), ['awaiting_approval', 'failed'])
  })

  test('200 the key can cancel a send that waits for approval', async () => {
    const { send, key, mine, counts } = await prepared()
    const before = await counts()
    const messageId = await send()
    const answer = await mine.call('cancelMessage', { params: { messageId }, key })
    assert.deepEqual([answer.status, answer.json.message.failure.reason], [200, 'canceled'])
    assert.deepEqual(await counts(), before)
    assert.equal((await approve(messageId)).status, 409)
  })
})

contract('POST /messages/{messageId}/reject', (gateway) => {
  const prepared = prepare(gateway)
  const reject = async (messageId: string, body: unknown = {}) =>
    (await prepared()).mine.call('rejectMessage', { params: { messageId }, body })

  test('200 fails a send that waits for approval, with the reason of the person', async () => {
    const { send, counts, statuses } = await prepared()
    const before = await counts()
    const messageId = await send()
    const answer = await reject(messageId, { reason: 'Not today' })
    assert.deepEqual(answer.json.message.failure, { reason: 'rejected', error: 'Not today', code: null })
    assert.deepEqual(await counts(), before)
    assert.deepEqual(await statuses(messageId), ['awaiting_approval', 'failed'])
  })

  test('400 when the reason is empty or too long', async () => {
    const { send } = await prepared()
    const messageId = await send()
    for (const reason of ['', 'x'.repeat(201), 5])
      assert.deepEqual((await reject(messageId, { reason })).json.details[0].path, 'reason')
    assert.equal((await reject(messageId)).status, 200)
  })

  test('404 when there is no such message or instance', async () => {
    const { send, mine } = await prepared()
    assert.equal((await reject(UNKNOWN.messageId)).json.reason, 'message_not_found')
    const elsewhere = await mine.call('rejectMessage', {
      params: { messageId: await send() },
      query: { instanceName: UNKNOWN.instance },
      body: {},
    })
    assert.equal(elsewhere.json.reason, 'instance_not_found')
  })

  test('409 when the message was sent without approval', async () => {
    const { mine, instance } = await prepared()
    const body = { instanceName: instance.name, number: '5511912345678', message: 'hi' }
    const { messageId } = (await mine.call('sendText', { body })).json
    const answer = await reject(messageId)
    assert.deepEqual([answer.status, answer.json.reason], [409, 'message_not_awaiting_approval'])
  })
})
