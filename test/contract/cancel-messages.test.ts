// POST /messages/cancel
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_CANCELED } from '../../src/contract/messages.ts'
import { chunksOf } from '../../src/store/chunks.ts'
import { sendToAccept } from '../../src/store/conformance/tenant.ts'
import { type CallInput, contractOnEachEngine } from '../support/gateway.ts'
import { faultPaths, shared, UNLIMITED_PLAN, withInstance } from './fixture.ts'

const HOUR_MS = 60 * 60 * 1000
const NUMBER = '5511912345678'
const OTHER_NUMBER = '5511987654321'

contractOnEachEngine('POST /messages/cancel', (gateway) => {
  const fixture = withInstance(gateway, { limits: UNLIMITED_PLAN })
  const prepared = shared(async () => {
    const running = await fixture()
    const { mine, instance } = running
    const send = async (body: object, input: CallInput = {}) => {
      const wanted = { instanceName: instance.name, number: NUMBER, message: 'hi', delay: 0, ...body }
      const answer = await mine.call('sendText', { ...input, body: wanted })
      assert.equal(answer.status, 200)
      return answer.json.messageId as string
    }
    const later = new Date(running.clock.now() + HOUR_MS).toISOString()
    const cancel = (body: object, input: CallInput = {}) => mine.call('cancelMessages', { ...input, body })
    const statusOf = async (messageId: string) => {
      const { message } = (await mine.call('getMessage', { params: { messageId } })).json
      return message.failure ? `${message.status} ${message.failure.reason}` : message.status
    }
    const waiting = (id = instance.id) =>
      running.store.db
        .selectFrom('instances')
        .select(['queued_count as queued', 'scheduled_count as scheduled'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    const keyWith = async (walls: object): Promise<string> =>
      (await mine.call('createApiKey', { body: { name: 'Walled', ...walls } })).json.key
    return { ...running, send, later, cancel, statusOf, waiting, keyWith }
  })

  test('200 cancels queued, scheduled and unapproved messages as the single call does, each with its event', async () => {
    const { mine, send, later, cancel, statusOf, waiting, keyWith } = await prepared()
    const key = await keyWith({ approval: true })
    const single = await send({ reference: 'single' })
    await mine.call('cancelMessage', { params: { messageId: single } })
    const before = await waiting()
    const reference = 'all kinds'
    const ids = [
      await send({ reference }),
      await send({ reference, sendAt: later }),
      await send({ reference }, { key }),
    ]
    const unnamed = await send({})
    const answer = await cancel({ reference })
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.json, { success: true, reference, canceled: 3, sending: 0, sent: 0, more: false })
    for (const id of ids) assert.equal(await statusOf(id), 'failed canceled')
    assert.equal(await statusOf(unnamed), 'queued')
    assert.deepEqual(await waiting(), { ...before, queued: before.queued + 1 })
    const { events } = (await mine.call('listEvents', { query: { limit: 500 } })).json
    const lastOf = (id: string) => {
      const event = events.findLast(({ data }: { data: { messageId?: string } }) => data.messageId === id)
      return { event: event.event, status: event.data.status, failure: event.data.failure }
    }
    for (const id of ids) assert.deepEqual(lastOf(id), lastOf(single))
    assert.deepEqual((await cancel({ reference })).json.canceled, 0)
  })

  test('200 leaves what is being sent or was sent, and counts it', async () => {
    const { store, send, cancel, statusOf } = await prepared()
    const reference = 'too late'
    const states = ['sending', 'sent', 'delivered', 'read', 'played', 'failed']
    for (const status of states) {
      const id = await send({ reference })
      await store.db.updateTable('messages').set({ status }).where('id', '=', id).execute()
    }
    const waiting = await send({ reference })
    const { json } = await cancel({ reference })
    assert.deepEqual([json.canceled, json.sending, json.sent, json.more], [1, 1, 4, false])
    assert.equal(await statusOf(waiting), 'failed canceled')
  })

  test('200 leaves messages of another account with the same reference', async () => {
    const { account, openInstance, send, cancel, statusOf } = await prepared()
    const other = await account()
    const { name: instanceName } = await openInstance(other)
    const reference = 'shared name'
    const mineId = await send({ reference })
    const body = { instanceName, number: NUMBER, message: 'hi', reference }
    const { messageId } = (await other.call('sendText', { body })).json
    assert.equal((await cancel({ reference })).json.canceled, 1)
    assert.equal(await statusOf(mineId), 'failed canceled')
    const left = (await other.call('getMessage', { params: { messageId } })).json.message
    assert.equal(left.status, 'queued')
    assert.equal((await other.call('listMessages', { query: { reference } })).json.count, 1)
  })

  test('200 cancels messages of all instances, or of the one that is named', async () => {
    const { mine, openInstance, send, cancel, statusOf, waiting } = await prepared()
    const second = await openInstance(mine)
    const reference = 'two instances'
    const [first, there] = [await send({ reference }), await send({ reference, instanceName: second.name })]
    assert.equal((await cancel({ reference, instanceName: second.name })).json.canceled, 1)
    assert.deepEqual([await statusOf(first), await statusOf(there)], ['queued', 'failed canceled'])
    assert.deepEqual(await waiting(second.id), { queued: 0, scheduled: 0 })
    await send({ reference, instanceName: second.name })
    assert.equal((await cancel({ reference })).json.canceled, 2)
  })

  test('200 cancels only what the key could cancel singly: its instances, its chats', async () => {
    const { mine, openInstance, send, cancel, statusOf, keyWith } = await prepared()
    const second = await openInstance(mine)
    const reference = 'walls'
    const here = await send({ reference })
    const otherChat = await send({ reference, number: OTHER_NUMBER })
    const there = await send({ reference, instanceName: second.name })
    const statuses = async () => [await statusOf(here), await statusOf(otherChat), await statusOf(there)]
    const wroteFirst = await cancel({ reference }, { key: await keyWith({ chats: 'wrote_first' }) })
    assert.deepEqual([wroteFirst.json.canceled, await statuses()], [0, ['queued', 'queued', 'queued']])
    const toInstance = await cancel({ reference }, { key: await keyWith({ instances: [second.name] }) })
    assert.equal(toInstance.json.canceled, 1)
    assert.deepEqual(await statuses(), ['queued', 'queued', 'failed canceled'])
    const chats = [`${OTHER_NUMBER}@s.whatsapp.net`]
    assert.equal((await cancel({ reference }, { key: await keyWith({ chats }) })).json.canceled, 1)
    assert.deepEqual(await statuses(), ['queued', 'failed canceled', 'failed canceled'])
  })

  test('200 says that messages are left when there are more than one call cancels', async () => {
    const { store, mine, instance, clock, cancel, waiting } = await prepared()
    const before = await waiting()
    const reference = 'a large campaign'
    const sends = Array.from({ length: MAX_CANCELED + 1 }, (_, index) =>
      sendToAccept({
        accountId: mine.id,
        instanceId: instance.id,
        reference,
        chat: `${index % 50}@s.whatsapp.net`,
        createdAt: clock.now(),
        sendAt: clock.now() + HOUR_MS,
      }),
    )
    for (const some of chunksOf(sends)) await Promise.all(some.map((send) => store.acceptSend(send)))
    const first = (await cancel({ reference })).json
    assert.deepEqual([first.canceled, first.more], [MAX_CANCELED, true])
    assert.deepEqual(await waiting(), { ...before, scheduled: before.scheduled + 1 })
    const second = (await cancel({ reference })).json
    assert.deepEqual([second.canceled, second.more], [1, false])
    assert.deepEqual(await waiting(), before)
  })

  test('200 for all of ten concurrent calls, which cancel each message once', async () => {
    const { send, cancel, waiting } = await prepared()
    const before = await waiting()
    const reference = 'at once'
    for (let count = 0; count < 20; count += 1) await send({ reference })
    const answers = await Promise.all(Array.from({ length: 10 }, () => cancel({ reference })))
    assert.ok(answers.every(({ status }) => status === 200))
    assert.equal(
      answers.reduce((sum, { json }) => sum + json.canceled, 0),
      20,
    )
    assert.deepEqual(await waiting(), before)
  })

  test('200 records the call in the audit', async () => {
    const { mine, cancel } = await prepared()
    await cancel({ reference: 'audited' })
    const { action, subject, status } = (await mine.call('listAudit', {})).json.entries[0]
    assert.deepEqual([action, subject, status], ['POST /api/v1/messages/cancel', 'audited', 200])
  })

  test('400 without a valid reference', async () => {
    const { cancel } = await prepared()
    for (const reference of [undefined, '', 'x'.repeat(129), 'tab\t', 7]) {
      const answer = await cancel({ reference })
      assert.equal(answer.status, 400, JSON.stringify(reference))
      assert.deepEqual(faultPaths(answer), ['reference'])
    }
  })

  test('403 when the key may only read', async () => {
    const { mine, cancel } = await prepared()
    const body = { name: 'Reader', scopes: ['read'] }
    const { key } = (await mine.call('createApiKey', { body })).json
    const answer = await cancel({ reference: 'x' }, { key })
    assert.deepEqual([answer.status, answer.json.reason], [403, 'scope_missing'])
  })

  test('404 when the instance does not exist', async () => {
    const { cancel } = await prepared()
    const answer = await cancel({ reference: 'x', instanceName: 'unknown-00000000' })
    assert.deepEqual([answer.status, answer.json.reason], [404, 'instance_not_found'])
  })
})
