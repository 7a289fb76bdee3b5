// GET /api-keys
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'

contract('GET /api-keys', (gateway) => {
  test('200 returns every key with hint and scopes, and never the key or its hash', async () => {
    const running = await gateway()
    const mine = await running.account()
    const expiresAt = new Date(running.clock.now() + 3_600_000).toISOString()
    const made = await mine.call('createApiKey', {
      body: { name: 'Shop', scopes: ['send', 'images'], expiresAt },
    })
    const answer = await mine.call('listApiKeys')
    assert.equal(answer.status, 200)
    assert.equal(answer.json.count, 2)
    const [first, second] = answer.json.apiKeys
    assert.deepEqual(first, {
      id: first.id,
      name: 'First key',
      hint: `${mine.key.slice(0, 5)}…${mine.key.slice(-4)}`,
      scopes: [],
      instances: null,
      chats: null,
      messagesPerDay: null,
      approval: false,
      approvalOnPhone: false,
      createdAt: first.createdAt,
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: null,
    })
    assert.deepEqual(second, made.json.apiKey)
    assert.deepEqual([second.name, second.scopes, second.expiresAt], ['Shop', ['send', 'images'], expiresAt])
    const text = answer.bytes.toString()
    for (const secret of [mine.key, made.json.key]) assert.ok(!text.includes(secret))
    assert.ok(!/[0-9a-f]{64}/.test(text), 'a hash stands in the list')
  })

  test('200 returns revoked keys too', async () => {
    const mine = await (await gateway()).account()
    const made = await mine.call('createApiKey', { body: { name: 'Gone' } })
    await mine.call('revokeApiKey', { params: { id: made.json.apiKey.id } })
    const { apiKeys } = (await mine.call('listApiKeys')).json
    assert.notEqual(apiKeys[1].revokedAt, null)
  })
})
