// DELETE /api-keys/{id}
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contractOnEachEngine } from '../support/gateway.ts'
import { shared } from './fixture.ts'

contractOnEachEngine('DELETE /api-keys/{id}', (gateway) => {
  const account = shared(async () => (await gateway()).account())
  const made = async (body: Record<string, unknown> = {}) =>
    (await (await account()).call('createApiKey', { body: { name: 'Shop', ...body } })).json
  const revoke = async (id: number) => (await account()).call('revokeApiKey', { params: { id } })

  test('200 revokes the key, and again when repeated', async () => {
    const { apiKey } = await made()
    const first = await revoke(apiKey.id)
    assert.equal(first.status, 200)
    assert.deepEqual(first.json.apiKey, { ...apiKey, revokedAt: first.json.apiKey.revokedAt })
    assert.notEqual(first.json.apiKey.revokedAt, null)
    assert.deepEqual((await revoke(apiKey.id)).json, first.json)
  })

  test('200 refuses the revoked key within a second, and no other key', async () => {
    const { clock } = await gateway()
    const mine = await account()
    const { apiKey, key } = await made()
    assert.equal((await mine.call('listInstances', { key })).status, 200)
    await revoke(apiKey.id)
    clock.advance(1000)
    assert.equal((await mine.call('listInstances', { key })).status, 401)
    assert.equal((await mine.call('listInstances')).status, 200)
  })

  test('404 when the key does not exist', async () => {
    const answer = await revoke(999_999_999)
    assert.equal(answer.status, 404)
    assert.equal(answer.json.reason, 'api_key_not_found')
  })

  test('409 when it is the last key that can manage keys', async () => {
    const running = await gateway()
    const mine = await running.account()
    const only = (await mine.call('listApiKeys')).json.apiKeys[0].id
    const create = (body: Record<string, unknown>) =>
      mine.call('createApiKey', { body: { name: 'Other', ...body } })
    await create({ scopes: ['send'] })
    await create({ expiresAt: new Date(running.clock.now() - 1000).toISOString() })
    const refused = await mine.call('revokeApiKey', { params: { id: only } })
    assert.equal(refused.status, 409)
    assert.equal(refused.json.reason, 'last_key')
    assert.equal((await mine.call('listInstances')).status, 200)
    const keeper = await create({ scopes: ['keys'] })
    assert.equal((await mine.call('revokeApiKey', { params: { id: only } })).status, 200)
    running.clock.advance(1000)
    assert.equal((await mine.call('listApiKeys', { key: keeper.json.key })).status, 200)
  })

  test('200 keeps one of two keys that revoke each other concurrently', async () => {
    const running = await gateway()
    for (let round = 0; round < 3; round += 1) {
      const mine = await running.account()
      const made = await mine.call('createApiKey', { body: { name: 'Other' } })
      const [first, second] = (await mine.call('listApiKeys')).json.apiKeys
      const keys = [mine.key, made.json.key]
      await Promise.all(keys.map((key) => mine.call('listInstances', { key })))
      const answers = await Promise.all([
        mine.call('revokeApiKey', { params: { id: second.id }, key: keys[0] as string }),
        mine.call('revokeApiKey', { params: { id: first.id }, key: keys[1] as string }),
      ])
      assert.equal(answers.filter((answer) => answer.status === 200).length, 1)
      running.clock.advance(3000)
      const alive = await Promise.all(keys.map((key) => mine.call('listInstances', { key })))
      assert.deepEqual(alive.map((answer) => answer.status).sort(), [200, 401])
    }
  })
})
