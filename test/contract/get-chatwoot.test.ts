// GET /chatwoot/{instanceName}
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { withChatwoot } from './chatwoot-fixture.ts'

contract('GET /chatwoot/{instanceName}', (gateway) => {
  const fixture = withChatwoot(gateway)

  test('200 shows the connection as it was saved', async () => {
    const { mine, valid, instance } = await fixture()
    const params = { instanceName: instance.name }
    const saved = await mine.call('saveChatwoot', { params, body: valid })
    const answer = await mine.call('getChatwoot', { params })
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.json.bridge, saved.json.bridge)
  })

  test('200 a test of its webhook reads the inbox, and says what Chatwoot answers', async () => {
    const { mine, valid, another, chatwoot } = await fixture()
    const params = { instanceName: await another() }
    const { bridge } = (await mine.call('saveChatwoot', { params, body: valid })).json
    const tested = () => mine.call('testWebhook', { params: { id: bridge.webhookId } })
    const good = (await tested()).json
    assert.deepEqual([good.delivered, good.attempt.status], [true, 200])
    assert.ok(good.attempt.answer.includes(bridge.inboxName))
    chatwoot.fault(/^GET \/inboxes/, 'fail')
    const bad = (await tested()).json
    assert.deepEqual([bad.delivered, bad.attempt.status], [false, 500])
    assert.ok(!JSON.stringify([good, bad]).includes(valid.token))
  })

  test('404 when the instance is not connected, or does not exist', async () => {
    const { mine, another } = await fixture()
    for (const [instanceName, reason] of [
      [await another(), 'chatwoot_not_set'],
      ['support-00000000', 'instance_not_found'],
    ] as const) {
      const answer = await mine.call('getChatwoot', { params: { instanceName } })
      assert.deepEqual([answer.status, answer.json.reason], [404, reason])
    }
  })
})
