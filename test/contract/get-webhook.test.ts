// GET /webhooks/{id}
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { shared } from './fixture.ts'

contract('GET /webhooks/{id}', (gateway) => {
  const account = shared(async () => (await gateway()).account())

  test('200 returns the webhook with its secret masked', async () => {
    const mine = await account()
    const { webhook } = (await mine.call('saveWebhook', { body: { url: 'https://example.com/a' } })).json
    const answer = await mine.call('getWebhook', { params: { id: webhook.id } })
    assert.equal(answer.status, 200)
    const masked = { ...webhook, secret: `********${webhook.secret.slice(-4)}` }
    assert.deepEqual(answer.json, { success: true, webhook: masked })
  })

  test('404 when the id does not exist', async () => {
    const answer = await (await account()).call('getWebhook', { params: { id: 999_999_999 } })
    assert.equal(answer.status, 404)
    assert.equal(answer.json.reason, 'webhook_not_found')
  })
})
