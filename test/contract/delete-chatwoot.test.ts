// DELETE /chatwoot/{instanceName}
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { withChatwoot } from './chatwoot-fixture.ts'

contract('DELETE /chatwoot/{instanceName}', (gateway) => {
  const fixture = withChatwoot(gateway)

  test('200 removes the connection and its webhook; posts of Chatwoot are refused from then on', async () => {
    const { mine, valid, instance, chatwoot } = await fixture()
    const params = { instanceName: instance.name }
    const { webhookId } = (await mine.call('saveChatwoot', { params, body: valid })).json.bridge
    const answer = await mine.call('deleteChatwoot', { params })
    assert.deepEqual([answer.status, answer.json], [200, { success: true }])
    assert.equal((await mine.call('getWebhook', { params: { id: webhookId } })).status, 404)
    const inbox = chatwoot.inboxes.find(({ webhook_url: url }) => url.includes(`/${instance.id}-`))
    const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
    assert.equal((await fetch(inbox?.webhook_url ?? '', post)).status, 401)
  })

  test('404 when the instance is not connected, or does not exist', async () => {
    const { mine, another } = await fixture()
    for (const [instanceName, reason] of [
      [await another(), 'chatwoot_not_set'],
      ['support-00000000', 'instance_not_found'],
    ] as const) {
      const answer = await mine.call('deleteChatwoot', { params: { instanceName } })
      assert.deepEqual([answer.status, answer.json.reason], [404, reason])
    }
  })
})
