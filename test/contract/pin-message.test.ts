// POST /messages/{messageId}/pin
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { act, actionRules, sentText, storedAction } from './action-rules.ts'
import { faultPaths } from './fixture.ts'

contract('POST /messages/{messageId}/pin', (gateway) => {
  const fixture = actionRules(gateway, 'pinMessage', 'pin')

  test('200 stores for how long the message is pinned; null removes the pin', async () => {
    const running = await fixture()
    const { instance, messageId } = await sentText(running)
    for (const seconds of [86_400, 604_800, 2_592_000, null]) {
      assert.equal((await act(running.mine, 'pinMessage', messageId, { body: { seconds } })).status, 200)
      assert.equal((await storedAction(running, instance.id)).content.seconds, seconds)
    }
  })

  test('400 when seconds is missing or is not 1, 7 or 30 days', async () => {
    const running = await fixture()
    const { messageId } = await sentText(running)
    for (const seconds of [undefined, 0, 3600, '86400', true]) {
      const answer = await act(running.mine, 'pinMessage', messageId, { body: { seconds } })
      assert.equal(answer.status, 400, String(seconds))
      assert.deepEqual(faultPaths(answer), ['seconds'])
    }
  })
})
