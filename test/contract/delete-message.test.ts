// DELETE /messages/{messageId}
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { act, actionRules, sentText, storedAction } from './action-rules.ts'
import type { Fixture } from './fixture.ts'
import { receive } from './received-message.ts'

const HOUR_MS = 60 * 60 * 1000
const GROUP = '120363000000000000@g.us'

/** A received message in a group, of which the instance is an admin or not. */
async function inGroup(running: Fixture, isAdmin: boolean) {
  const { instance } = await sentText(running)
  const messageId = await receive({ ...running, instance }, null)
  const { db } = running.store
  await db
    .updateTable('messages')
    .set({ chat: GROUP, group_jid: GROUP, number: null })
    .where('id', '=', messageId)
    .execute()
  await db
    .insertInto('groups')
    .values({
      instance_id: instance.id,
      jid: GROUP,
      subject: 'A group',
      description: null,
      owner_jid: null,
      group_created_at: null,
      size: 2,
      is_admin: isAdmin ? 1 : 0,
      is_announcement: 0,
      is_locked: 0,
      participants: '[]',
      updated_at: running.clock.now(),
    })
    .execute()
  return { instance, messageId }
}

contract('DELETE /messages/{messageId}', (gateway) => {
  const fixture = actionRules(gateway, 'deleteMessage', 'delete')

  test('200 deletes a sent message, and as an admin one of another person', async () => {
    const running = await fixture()
    const own = await sentText(running)
    await act(running.mine, 'deleteMessage', own.messageId)
    assert.equal((await storedAction(running, own.instance.id)).content.deletedBy, 'author')
    const theirs = await inGroup(running, true)
    const answer = await act(running.mine, 'deleteMessage', theirs.messageId)
    assert.deepEqual([answer.status, answer.json.groupJid], [200, GROUP])
    assert.equal((await storedAction(running, theirs.instance.id)).content.deletedBy, 'admin')
  })

  test('409 for a message of another person, and for a sent one after 60 hours', async () => {
    const running = await fixture()
    const { instance, messageId } = await sentText(running)
    const received = await receive({ ...running, instance }, null)
    const notAdmin = await inGroup(running, false)
    await running.store.db
      .updateTable('messages')
      .set({ created_at: running.clock.now() - 61 * HOUR_MS })
      .where('id', '=', messageId)
      .execute()
    for (const target of [received, messageId, notAdmin.messageId]) {
      const answer = await act(running.mine, 'deleteMessage', target)
      assert.deepEqual([answer.status, answer.json.reason], [409, 'message_not_deletable'])
    }
  })
})
