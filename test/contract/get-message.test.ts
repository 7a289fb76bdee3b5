// GET /messages/{messageId} (decisions 6)
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { withInstance } from './fixture.ts'

contract('GET /messages/{messageId}', (gateway) => {
  const fixture = withInstance(gateway)

  test('200: every field of a message that waits', async () => {
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
        number: '5511912345678',
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
      },
    })
  })

  test('200: a failed message tells why, with the code of the network', async () => {
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

  test('404: an id that was never given, up to 128 characters', async () => {
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

  test('400: an id that is none', async () => {
    const { mine } = await fixture()
    for (const messageId of ['x'.repeat(129), 'x'.repeat(2000), 'a\u0000b', 'a\nb']) {
      const answer = await mine.call('getMessage', { params: { messageId } })
      assert.equal(answer.status, 400, JSON.stringify(messageId.slice(0, 20)))
      assert.equal(answer.json.reason, 'invalid_request')
    }
  })
})
