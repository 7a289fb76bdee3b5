// POST /admin/v1/accounts/{id}/api-keys/{keyId}/rotate
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lockAccount } from '../../src/store/locks.ts'
import { contractOnEachEngine } from '../support/gateway.ts'
import { atOnce, faultPaths } from './fixture.ts'

contractOnEachEngine('POST /admin/v1/accounts/{id}/api-keys/{keyId}/rotate', (gateway) => {
  test('200 returns a new key; the old one ends after the overlap', async () => {
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

  test('400 when overlapHours is not from 0 to 168', async () => {
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

  test('409 when another request rotates the key at the same time', async () => {
    const running = await gateway()
    const mine = await running.account()
    const [old] = (await mine.call('listApiKeys')).json.apiKeys
    const rotate = () => running.call('adminRotateKey', { params: { id: mine.id, keyId: old.id } })
    const answers = await atOnce(running, (tx) => lockAccount(tx, mine.id), [rotate, rotate])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
    assert.equal(answers.find(({ status }) => status === 409)?.json.reason, 'rotated_meanwhile')
    assert.equal((await mine.call('listApiKeys')).json.count, 2)
  })

  test('404 when the key does not exist or is revoked', async () => {
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
