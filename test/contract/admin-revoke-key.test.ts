// DELETE /admin/v1/accounts/{id}/api-keys/{keyId}
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'

contract('DELETE /admin/v1/accounts/{id}/api-keys/{keyId}', (gateway) => {
  test('200 revokes a key within a second, even the last key of the account', async () => {
    const running = await gateway()
    const mine = await running.account()
    const [key] = (await mine.call('listApiKeys')).json.apiKeys
    const params = { id: mine.id, keyId: key.id }
    const answer = await running.call('adminRevokeKey', { params })
    assert.equal(answer.status, 200)
    assert.notEqual(answer.json.apiKey.revokedAt, null)
    running.clock.advance(3000)
    assert.equal((await mine.call('listInstances')).status, 401)
    const again = await running.call('adminRevokeKey', { params })
    assert.equal(again.status, 200)
    assert.equal(again.json.apiKey.revokedAt, answer.json.apiKey.revokedAt)
  })

  test('404 when the key does not exist', async () => {
    const running = await gateway()
    const { id } = await running.account()
    for (const account of [id, 999_999_999]) {
      const answer = await running.call('adminRevokeKey', { params: { id: account, keyId: 999_999_999 } })
      assert.equal(answer.status, 404)
      assert.equal(answer.json.reason, 'api_key_not_found')
    }
  })
})
