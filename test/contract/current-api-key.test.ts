// GET /api-keys/current
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'

contract('GET /api-keys/current', (gateway) => {
  test('200 returns the key of the request, with its scopes and walls, and never its secret', async () => {
    const mine = await (await gateway()).account()
    const body = { name: 'Agent', scopes: ['read'], chats: ['5511912345678@s.whatsapp.net'], approval: true }
    const made = (await mine.call('createApiKey', { body })).json
    const walled = await mine.call('currentApiKey', { key: made.key })
    assert.equal(walled.status, 200)
    assert.deepEqual({ ...walled.json.apiKey, lastUsedAt: null }, made.apiKey)
    assert.ok(!walled.bytes.toString().includes(made.key))
    assert.deepEqual(walled.json.instances, [])
    const own = await mine.call('currentApiKey')
    assert.deepEqual([own.json.apiKey.name, own.json.apiKey.scopes], ['First key', []])
  })

  test('200 names the instances that the key can use, and none to a key that needs none', async () => {
    const running = await gateway()
    const mine = await running.account()
    const [first, second] = [await running.openInstance(mine), await running.openInstance(mine)]
    const namesFor = async (body: object): Promise<string[]> => {
      const { key } = (await mine.call('createApiKey', { body: { name: 'x', ...body } })).json
      const { instances } = (await mine.call('currentApiKey', { key })).json
      return instances.map(({ apiInstanceName }: { apiInstanceName: string }) => apiInstanceName)
    }
    assert.deepEqual((await namesFor({ scopes: ['read'] })).toSorted(), [first.name, second.name].toSorted())
    assert.deepEqual(await namesFor({ scopes: ['send'], instances: [second.name] }), [second.name])
    assert.deepEqual(await namesFor({ scopes: ['keys', 'account'] }), [])
  })

  test('200 without a subscription', async () => {
    const running = await gateway()
    const mine = await running.account()
    await running.call('adminUpdateSubscription', { params: { id: mine.id }, body: { status: 'expired' } })
    assert.equal((await mine.call('currentApiKey')).status, 200)
  })
})
