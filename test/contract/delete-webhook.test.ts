// DELETE /webhooks/{id}
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { shared } from './fixture.ts'

contract('DELETE /webhooks/{id}', (gateway) => {
  const account = shared(async () => (await gateway()).account())

  test('200 deletes the webhook and frees its URL', async () => {
    const mine = await account()
    const save = () => mine.call('saveWebhook', { body: { url: 'https://example.com/a' } })
    const { id } = (await save()).json.webhook
    const answer = await mine.call('deleteWebhook', { params: { id } })
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.json, { success: true, id })
    assert.equal((await mine.call('listWebhooks')).json.count, 0)
    assert.equal((await save()).status, 200)
  })

  test('404 when the id never existed or is deleted', async () => {
    const mine = await account()
    const { id } = (await mine.call('saveWebhook', { body: { url: 'https://example.com/b' } })).json.webhook
    await mine.call('deleteWebhook', { params: { id } })
    for (const unknown of [id, 999_999_999]) {
      const answer = await mine.call('deleteWebhook', { params: { id: unknown } })
      assert.equal(answer.status, 404)
      assert.equal(answer.json.reason, 'webhook_not_found')
    }
  })
})
