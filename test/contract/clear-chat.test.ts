// DELETE /chats
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { ANA, CHAT, receiveTexts, report, storeChat, unknownChatRule } from './chat-rules.ts'
import { faultPaths, scripted, withInstance } from './fixture.ts'
import { FOR_CHANGES, liveRules, sampleCall } from './group-rules.ts'

contract('DELETE /chats', (gateway) => {
  const fixture = withInstance(gateway)
  const call = sampleCall(fixture, 'clearChat')
  before(async () => {
    const running = await fixture()
    await storeChat(running, running.instance.id)
  })
  liveRules(fixture, { id: 'clearChat', script: 'clearChat', refusals: FOR_CHANGES })
  unknownChatRule(fixture, 'clearChat')

  test('200 deletes earlier messages and the last message of the chat; queued messages stay', async () => {
    const running = await fixture()
    await receiveTexts(running, ['C1', 'C2'])
    const body = { instanceName: running.instance.name, number: ANA, message: 'waits' }
    const { messageId } = (await running.mine.call('sendText', { body })).json
    let last: string | undefined
    const answer = await scripted(
      running,
      {
        async clearChat(instanceId, chat, message) {
          last = message?.messageId
          const throughMs = (message?.sentAtMs ?? 0) + 999
          await report(running, instanceId, { kind: 'chat_cleared', chat, throughMs, keepStarred: false })
        },
      },
      () => call(),
    )
    assert.deepEqual([answer.status, last], [200, 'C2'])
    const { lastMessageText, lastMessageTimestamp, unreadCount } = answer.json.chat
    assert.deepEqual([lastMessageText, lastMessageTimestamp, unreadCount], [null, null, 0])
    const query = { instanceName: running.instance.name, chat: CHAT }
    const { messages } = (await running.mine.call('listMessages', { query })).json
    assert.deepEqual(
      messages.map((message: { messageId: string }) => message.messageId),
      [messageId],
    )
  })

  test('400 when the chat is missing or not valid', async () => {
    const { instance } = await fixture()
    for (const [chat, path] of [
      [undefined, 'number'],
      ['ana', 'chat'],
    ]) {
      const answer = await call({ query: { instanceName: instance.name, ...(chat && { chat }) } })
      assert.equal(answer.status, 400)
      assert.deepEqual(faultPaths(answer), [path])
    }
  })
})
