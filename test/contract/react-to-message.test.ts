// POST /messages/{messageId}/reaction
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { act, actionRules, sentText, storedAction } from './action-rules.ts'
import { faultPaths } from './fixture.ts'
import { receive } from './received-message.ts'

contract('POST /messages/{messageId}/reaction', (gateway) => {
  const fixture = actionRules(gateway, 'reactToMessage', 'reaction')

  test('200 stores the emoji and the target, of a sent and of a received message', async () => {
    const running = await fixture()
    const { instance, messageId } = await sentText(running)
    const received = await receive({ ...running, instance }, null)
    for (const [target, direction] of [
      [messageId, 'outgoing'],
      [received, 'incoming'],
    ] as const) {
      await act(running.mine, 'reactToMessage', target)
      const { content } = await storedAction(running, instance.id)
      const { target: stored, ...rest } = content as { target: { messageId: string; direction: string } }
      assert.deepEqual(rest, { emoji: '👍', removed: false, text: '👍', targetMessageId: target })
      assert.deepEqual([stored.messageId, stored.direction], [target, direction])
    }
  })

  test('200 withdraws the reaction with null, and does not count as a message', async () => {
    const running = await fixture()
    const { instance, messageId } = await sentText(running)
    const used = async () => (await running.mine.call('accountLimits')).json.limits.messages.used
    const before = await used()
    await act(running.mine, 'reactToMessage', messageId, { body: { emoji: null } })
    assert.equal((await storedAction(running, instance.id)).content.removed, true)
    assert.equal(await used(), before)
  })

  test('200 accepts emojis of several characters', async () => {
    const running = await fixture()
    const { messageId } = await sentText(running)
    for (const emoji of ['❤', '❤️', '👩‍👩‍👧', '🇧🇷', '👍🏽', '1️⃣'])
      assert.equal(
        (await act(running.mine, 'reactToMessage', messageId, { body: { emoji } })).status,
        200,
        emoji,
      )
  })

  test('400 when emoji is missing or is not one emoji', async () => {
    const running = await fixture()
    const { messageId } = await sentText(running)
    for (const emoji of ['', 'a', '👍👍', 'ok 👍', 5, undefined]) {
      const answer = await act(running.mine, 'reactToMessage', messageId, { body: { emoji } })
      assert.equal(answer.status, 400, String(emoji))
      assert.deepEqual(faultPaths(answer), ['emoji'])
    }
  })
})
