// POST /messages/{messageId}/forward
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { act, actionRules, NUMBER, sentText, storedAction } from './action-rules.ts'
import { faultPaths, UNLIMITED_PLAN } from './fixture.ts'
import { receive } from './received-message.ts'

const GROUP = '120363000000000000@g.us'

contract('POST /messages/{messageId}/forward', (gateway) => {
  const fixture = actionRules(gateway, 'forwardMessage', 'text')

  test('200 sends a message of the same kind to a number or a group, at once or later', async () => {
    const running = await fixture()
    const { instance, messageId } = await sentText(running)
    const received = await receive({ ...running, instance }, {})
    const toGroup = { number: undefined, groupJid: GROUP }
    const answer = await act(running.mine, 'forwardMessage', received, { body: toGroup })
    assert.deepEqual([answer.json.type, answer.json.groupJid], ['document', GROUP])
    const { content } = await storedAction(running, instance.id)
    assert.deepEqual(content.forwardOf, { messageId: received, direction: 'incoming' })
    assert.deepEqual([content.message, content.from, 'text' in content], ['see', undefined, false])
    const sendAt = new Date(running.clock.now() + 60_000).toISOString()
    const later = await act(running.mine, 'forwardMessage', messageId, {
      body: { sendAt, reference: 'order' },
    })
    assert.deepEqual(
      [later.json.status, later.json.type, later.json.reference],
      ['scheduled', 'text', 'order'],
    )
  })

  test('400 when there is no recipient, or more than one', async () => {
    const running = await fixture()
    const { messageId } = await sentText(running)
    for (const body of [{ number: undefined }, { groupJid: GROUP }]) {
      const answer = await act(running.mine, 'forwardMessage', messageId, { body })
      assert.equal(answer.status, 400)
      assert.deepEqual(faultPaths(answer), ['number'])
    }
  })

  test('403 when the message limit is reached, because a forwarded message counts', async () => {
    const running = await fixture()
    const account = await running.account({ limits: { ...UNLIMITED_PLAN, messages: 1 } })
    const { messageId } = await sentText(running, account)
    const answer = await act(account, 'forwardMessage', messageId)
    assert.deepEqual([answer.status, answer.json.reason], [403, 'limit_reached'])
  })

  test('409 for a file that can be opened only once, and for a type that cannot be rebuilt', async () => {
    const running = await fixture()
    const { instance } = await sentText(running)
    const { json } = await running.mine.call('sendMedia', {
      body: {
        instanceName: instance.name,
        number: NUMBER,
        type: 'image',
        viewOnce: true,
        mediaUrl: 'https://example.com/photo.jpg',
      },
    })
    const received = await receive({ ...running, instance }, null)
    await running.store.db
      .updateTable('messages')
      .set({ kind: 'unsupported' })
      .where('id', '=', received)
      .execute()
    for (const messageId of [json.messageId, received]) {
      const answer = await act(running.mine, 'forwardMessage', messageId)
      assert.deepEqual([answer.status, answer.json.reason], [409, 'message_not_forwardable'])
    }
  })
})
