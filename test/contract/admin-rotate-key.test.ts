// POST /admin/v1/accounts/{id}/api-keys/{keyId}/rotate (decisions 4)
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { faultPaths } from './fixture.ts'

contract('POST /admin/v1/accounts/{id}/api-keys/{keyId}/rotate', (gateway) => {
  test('200: a new key; the old one ends with its overlap', async () => {
    const running = await gateway()
    const mine = await running.account()
    const [old] = (await mine.call('listApiKeys')).json.apiKeys
    const params = { id: mine.id, keyId: old.id }
    const answer = await running.call('adminRotateKey', { params, body: { overlapHours: 1 } })
    assert.equal(answer.status, 200)
    const { key } = answer.json
    assert.equal((await mine.call('listInstances')).status, 200)
    running.clock.advance(3_601_000)
    assert.equal((await mine.call('listInstances')).status, 401)
    assert.equal((await mine.call('listInstances', { key })).status, 200)
  })

  test('400: an overlap beyond 0 to 168 hours', async () => {
    const running = await gateway()
    const mine = await running.account()
    const [old] = (await mine.call('listApiKeys')).json.apiKeys
    for (const overlapHours of [-1, 169, 1.5]) {
      const answer = await running.call('adminRotateKey', {
        params: { id: mine.id, keyId: old.id },
        body: { overlapHours },
      })
      assert.equal(answer.status, 400)
      assert.deepEqual(faultPaths(answer), ['overlapHours'])
    }
  })

  test('404: a key that was never made or is revoked', async () => {
    const running = await gateway()
    const mine = await running.account()
    const { apiKey } = (await mine.call('createApiKey', { body: { name: 'Gone' } })).json
    await mine.call('revokeApiKey', { params: { id: apiKey.id } })
    for (const keyId of [apiKey.id, 999_999_999]) {
      const answer = await running.call('adminRotateKey', { params: { id: mine.id, keyId } })
      assert.equal(answer.status, 404)
      assert.equal(answer.json.reason, 'api_key_not_found')
    }
  })
})
