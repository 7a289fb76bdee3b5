// GET /messages/{messageId}
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { withInstance } from './fixture.ts'
import { receiveOwn } from './received-message.ts'

contract('GET /messages/{messageId}', (gateway) => {
  const fixture = withInstance(gateway)

  test('200 returns every field of a queued message', async () => {
    const { mine, instance } = await fixture()
    const body = { instanceName: instance.name, number: '+55 11 91234-5678', message: 'hi' }
    const sent = await mine.call('sendText', { body })
    const answer = await mine.call('getMessage', { params: { messageId: sent.json.messageId } })
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.json, {
      success: true,
      message: {
        messageId: sent.json.messageId,
        instanceName: instance.name,
        direction: 'outgoing',
        chat: '5511912345678@s.whatsapp.net',
        number: '5511912345678',
        lid: null,
        username: null,
        groupJid: null,
        type: 'text',
        status: 'queued',
        content: { message: 'hi' },
        failure: null,
        createdAt: sent.json.createdAt,
        updatedAt: sent.json.createdAt,
        sentAt: null,
        deliveredAt: null,
        readAt: null,
        sendAt: null,
        expiresAt: null,
        late: false,
        reference: null,
        starred: false,
        historical: false,
      },
    })
  })

  test('200 returns the reason and network code of a failed message', async () => {
    const { mine, instance, store } = await fixture()
    const body = { instanceName: instance.name, number: '5511912345678', message: 'hi' }
    const { messageId } = (await mine.call('sendText', { body })).json
    await store.db
      .updateTable('messages')
      .set({
        status: 'failed',
        failure_reason: 'rejected_by_network',
        failure_error: 'Not taken.',
        failure_code: 463,
      })
      .where('id', '=', messageId)
      .execute()
    const { message } = (await mine.call('getMessage', { params: { messageId } })).json
    assert.equal(message.status, 'failed')
    assert.deepEqual(message.failure, { reason: 'rejected_by_network', error: 'Not taken.', code: 463 })
  })

  test('200 returns the sent message when two instances have the id, or the one of instanceName', async () => {
    const running = await fixture()
    const { messageId, sender, receiver } = await receiveOwn(running)
    const get = async (query: Record<string, string>) => {
      const { message } = (await running.mine.call('getMessage', { params: { messageId }, query })).json
      return [message.instanceName, message.direction, message.status]
    }
    assert.deepEqual(await get({}), [sender, 'outgoing', 'queued'])
    assert.deepEqual(await get({ instanceName: sender }), [sender, 'outgoing', 'queued'])
    assert.deepEqual(await get({ instanceName: receiver }), [receiver, 'incoming', 'delivered'])
  })

  test('404 when the instance does not exist or does not have the message', async () => {
    const { mine, instance, ...running } = await fixture()
    const body = { instanceName: instance.name, number: '5511912345678', message: 'hi' }
    const params = { messageId: (await mine.call('sendText', { body })).json.messageId }
    const other = await running.openInstance(mine)
    for (const [instanceName, reason] of [
      [other.name, 'message_not_found'],
      ['unknown-00000000', 'instance_not_found'],
    ] as const) {
      const answer = await mine.call('getMessage', { params, query: { instanceName } })
      assert.deepEqual([answer.status, answer.json.reason], [404, reason])
    }
  })

  test('404 when the id does not exist, up to 128 characters', async () => {
    const { mine } = await fixture()
    for (const messageId of [
      '3EB0000000000000000000',
      'x',
      'x'.repeat(128),
      'ü',
      "'; drop table messages; --",
    ]) {
      const answer = await mine.call('getMessage', { params: { messageId } })
      assert.equal(answer.status, 404, messageId)
      assert.equal(answer.json.reason, 'message_not_found')
    }
  })

  test('400 when the id is not valid', async () => {
    const { mine } = await fixture()
    for (const messageId of ['x'.repeat(129), 'x'.repeat(2000), 'a\u0000b', 'a\nb']) {
      const answer = await mine.call('getMessage', { params: { messageId } })
      assert.equal(answer.status, 400, JSON.stringify(messageId.slice(0, 20)))
      assert.equal(answer.json.reason, 'invalid_request')
    }
  })
})
