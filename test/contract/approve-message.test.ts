// POST /messages/{messageId}/approve and /reject
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { indexNext } from '../../src/messages/search-queries.ts'
import { contract, contractOnEachEngine, type Gateway } from '../support/gateway.ts'
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

contractOnEachEngine('POST /messages/{messageId}/approve', (gateway) => {
  const prepared = prepare(gateway)
  const approve = async (messageId: string, body: object) =>
    (await prepared()).mine.call('approveMessage', { params: { messageId }, body })
  const versionOf = async (messageId: string): Promise<number> =>
    (await (await prepared()).mine.call('getApproval', { params: { messageId } })).json.approval.version
  const editsOf = async (messageId: string) =>
    (await prepared()).store.db
      .selectFrom('approval_edits')
      .select(['version', 'edited_by', 'content'])
      .where('message_id', '=', messageId)
      .execute()

  test('200 sends the text of the approver: the message, its event and the search have it', async () => {
    const { send, mine, statuses, store } = await prepared()
    const messageId = await send({ message: 'a zebra draft' })
    while (((await indexNext(store, { limit: 500, silent: [] })) ?? 0) > 0);
    const answer = await approve(messageId, { version: await versionOf(messageId), text: 'a giraffe' })
    assert.deepEqual([answer.status, answer.json.message.status], [200, 'queued'])
    assert.deepEqual(answer.json.message.content, { message: 'a giraffe' })
    assert.deepEqual(await statuses(messageId), ['awaiting_approval', 'awaiting_approval', 'queued'])
    const { json } = await mine.call('listEvents', { query: { limit: 500 } })
    const edited = json.events.find(
      (event: { event: string; data: { messageId?: string; content?: object } }) =>
        event.event === 'messages.update' && event.data.messageId === messageId && event.data.content,
    )
    assert.deepEqual([edited.data.text, edited.data.content.message], ['a giraffe', 'a giraffe'])
    const found = async (search: string): Promise<string[]> =>
      (await mine.call('listMessages', { query: { search } })).json.messages.map(
        (message: { messageId: string }) => message.messageId,
      )
    assert.deepEqual([await found('giraffe'), await found('zebra')], [[messageId], []])
  })

  test('200 records who has changed what', async () => {
    const { send, mine } = await prepared()
    const { id } = (await mine.call('currentApiKey')).json.apiKey
    const messageId = await send({ message: 'before' })
    await approve(messageId, { text: 'after' })
    assert.deepEqual(await editsOf(messageId), [
      { version: 2, edited_by: `key:${id}`, content: JSON.stringify({ message: 'before' }) },
    ])
    const unchanged = await send({ message: 'same' })
    assert.equal((await approve(unchanged, { text: 'same' })).status, 200)
    assert.deepEqual(await editsOf(unchanged), [])
  })

  test('400 names the text that the message cannot have, and changes nothing', async () => {
    const { send, mine, instance, key, statuses } = await prepared()
    const messageId = await send()
    for (const text of ['', 5, 'x'.repeat(65_537)]) {
      const answer = await approve(messageId, { text })
      assert.deepEqual([answer.status, answer.json.details[0].path], [400, 'text'])
    }
    for (const version of [0, 'x', 1.5])
      assert.equal((await approve(messageId, { version })).json.details[0].path, 'version')
    const body = { instanceName: instance.name, number: '5511912345678', latitude: 1, longitude: 2 }
    const location = await mine.call('sendLocation', { body, key })
    const refused = await approve(location.json.messageId, { text: 'x' })
    assert.deepEqual([refused.status, refused.json.details[0].path], [400, 'text'])
    assert.deepEqual(await statuses(messageId), ['awaiting_approval'])
    assert.equal((await approve(messageId, {})).json.message.content.message, 'hi')
  })

  test('409 when the send is not the one that the person saw', async () => {
    const { send, statuses } = await prepared()
    const messageId = await send()
    const answer = await approve(messageId, { version: 2, text: 'other' })
    assert.deepEqual([answer.status, answer.json.reason, answer.json.version], [409, 'approval_changed', 1])
    assert.deepEqual([await statuses(messageId), await editsOf(messageId)], [['awaiting_approval'], []])
  })

  test('409 for all but one of several approvers, and for an edit beside a rejection', async () => {
    const { send, mine, statuses } = await prepared()
    for (let round = 0; round < 3; round += 1) {
      const messageId = await send()
      const [version, params] = [await versionOf(messageId), { messageId }]
      const answers = await Promise.all([
        approve(messageId, { version, text: 'first' }),
        mine.call('rejectMessage', { params, body: {} }),
        approve(messageId, { version, text: 'second' }),
        approve(messageId, { version }),
      ])
      const won = answers.findIndex(({ status }) => status === 200)
      assert.deepEqual(
        answers.map(({ status, json }) => json.reason ?? status),
        answers.map((_answer, index) => (index === won ? 200 : 'message_not_awaiting_approval')),
      )
      const text = ['first', 'hi', 'second', 'hi'][won]
      const { json } = await mine.call('getMessage', { params })
      assert.deepEqual(
        [json.message.content.message, json.message.status],
        [text, won === 1 ? 'failed' : 'queued'],
      )
      assert.equal((await editsOf(messageId)).length, text === 'hi' ? 0 : 1)
      assert.equal((await statuses(messageId)).length, text === 'hi' ? 2 : 3)
    }
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
