// POST /messages/{messageId}/edit
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { act, actionRules, NUMBER, sentText, storedAction } from './action-rules.ts'
import { faultPaths } from './fixture.ts'
import { receive } from './received-message.ts'

const MINUTE_MS = 60_000

contract('POST /messages/{messageId}/edit', (gateway) => {
  const fixture = actionRules(gateway, 'editMessage', 'edit')

  test('200 stores the new text of a text, also while it is queued', async () => {
    const running = await fixture()
    const { instance, messageId } = await sentText(running)
    await running.store.db
      .updateTable('messages')
      .set({ status: 'queued' })
      .where('id', '=', messageId)
      .execute()
    assert.equal((await act(running.mine, 'editMessage', messageId)).status, 200)
    const { content } = await storedAction(running, instance.id)
    assert.deepEqual([content.message, content.targetMessageId], ['hi again', messageId])
  })

  test('400 when the message is missing, empty or too long', async () => {
    const running = await fixture()
    const { messageId } = await sentText(running)
    for (const message of [undefined, '', 'x'.repeat(65_537), null]) {
      const answer = await act(running.mine, 'editMessage', messageId, { body: { message } })
      assert.equal(answer.status, 400)
      assert.deepEqual(faultPaths(answer), ['message'])
    }
  })

  test('409 for a received message, a type without a text, and after 15 minutes', async () => {
    const running = await fixture()
    const { instance, messageId } = await sentText(running)
    const received = await receive({ ...running, instance }, null)
    const body = { instanceName: instance.name, number: NUMBER, latitude: 1, longitude: 2 }
    const location = (await running.mine.call('sendLocation', { body })).json.messageId
    await running.store.db
      .updateTable('messages')
      .set({ created_at: running.clock.now() - 16 * MINUTE_MS })
      .where('id', '=', messageId)
      .execute()
    for (const target of [received, location, messageId]) {
      const answer = await act(running.mine, 'editMessage', target)
      assert.deepEqual([answer.status, answer.json.reason], [409, 'message_not_editable'])
    }
  })
})
