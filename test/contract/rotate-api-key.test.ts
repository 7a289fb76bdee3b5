// POST /api-keys/{id}/rotate (decisions 4)
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { faultPaths, shared } from './fixture.ts'

const HOUR_MS = 3_600_000

contract('POST /api-keys/{id}/rotate', (gateway) => {
  const account = shared(async () => (await gateway()).account())
  const made = async (body: Record<string, unknown> = {}) =>
    (await (await account()).call('createApiKey', { body: { name: 'Shop', ...body } })).json
  const rotate = async (id: number, body?: unknown) =>
    (await account()).call('rotateApiKey', { params: { id }, body })
  const opens = async (key: string) => (await (await account()).call('listInstances', { key })).status === 200
  const listed = async (id: number) => {
    const { apiKeys } = (await (await account()).call('listApiKeys')).json
    return apiKeys.find((key: { id: number }) => key.id === id)
  }

  test('200: a new key of the same name and scopes; the old one lives on for overlapHours', async () => {
    const { clock } = await gateway()
    const old = await made({ scopes: ['instances', 'send'] })
    const now = clock.now()
    const answer = await rotate(old.apiKey.id, { overlapHours: 2 })
    assert.equal(answer.status, 200)
    const { key, apiKey } = answer.json
    assert.match(key, /^sk_[0-9A-Za-z]{38}$/)
    assert.deepEqual([apiKey.name, apiKey.scopes, apiKey.expiresAt], ['Shop', ['instances', 'send'], null])
    assert.notEqual(apiKey.id, old.apiKey.id)
    const end = Date.parse((await listed(old.apiKey.id)).expiresAt)
    assert.ok(end >= now + 2 * HOUR_MS && end <= clock.now() + 2 * HOUR_MS)
    clock.advance(2 * HOUR_MS - 60_000)
    assert.deepEqual([await opens(old.key), await opens(key)], [true, true])
    clock.advance(61_000)
    assert.deepEqual([await opens(old.key), await opens(key)], [false, true])
  })

  test('200: 24 hours where nothing is said', async () => {
    const { clock } = await gateway()
    for (const body of [undefined, {}]) {
      const old = await made()
      const before = clock.now()
      await rotate(old.apiKey.id, body)
      const end = Date.parse((await listed(old.apiKey.id)).expiresAt)
      assert.ok(end >= before + 24 * HOUR_MS && end <= clock.now() + 24 * HOUR_MS)
    }
  })

  test('200: with 0 hours the old key is refused within a second', async () => {
    const { clock } = await gateway()
    const old = await made()
    assert.equal(await opens(old.key), true)
    const { key } = (await rotate(old.apiKey.id, { overlapHours: 0 })).json
    clock.advance(1000)
    assert.deepEqual([await opens(old.key), await opens(key)], [false, true])
  })

  test('200: the overlap never lengthens a life, and the new key has the end that the old one had', async () => {
    const { clock } = await gateway()
    const expiresAt = new Date(clock.now() + HOUR_MS).toISOString()
    const old = await made({ expiresAt })
    const { apiKey } = (await rotate(old.apiKey.id, { overlapHours: 168 })).json
    assert.equal(apiKey.expiresAt, expiresAt)
    assert.equal((await listed(old.apiKey.id)).expiresAt, expiresAt)
  })

  test('200: a key rotates itself', async () => {
    const mine = await account()
    const old = await made()
    const answer = await mine.call('rotateApiKey', { params: { id: old.apiKey.id }, key: old.key })
    assert.equal(await opens(answer.json.key), true)
  })

  test('400: an overlap beyond 0 to 168 hours', async () => {
    const { apiKey } = await made()
    for (const overlapHours of [-1, 169, 1.5, '24', null]) {
      const answer = await rotate(apiKey.id, { overlapHours })
      assert.equal(answer.status, 400)
      assert.deepEqual(faultPaths(answer), ['overlapHours'])
    }
    assert.equal((await rotate(apiKey.id, { overlapHours: 168 })).status, 200)
  })

  test('403: a key with fewer scopes cannot get a wider one by rotation', async () => {
    const mine = await account()
    const narrow = (await made({ scopes: ['keys'] })).key
    const wide = await made()
    const answer = await mine.call('rotateApiKey', { params: { id: wide.apiKey.id }, key: narrow })
    assert.equal(answer.status, 403)
    assert.equal(answer.json.reason, 'scope_missing')
    assert.equal((await listed(wide.apiKey.id)).expiresAt, null)
  })

  test('404: a key that was never made, is revoked or has expired', async () => {
    const { clock } = await gateway()
    const revoked = await made()
    await (await account()).call('revokeApiKey', { params: { id: revoked.apiKey.id } })
    const expired = await made({ expiresAt: new Date(clock.now() - 1000).toISOString() })
    for (const id of [999_999_999, revoked.apiKey.id, expired.apiKey.id]) {
      const answer = await rotate(id)
      assert.equal(answer.status, 404)
      assert.equal(answer.json.reason, 'api_key_not_found')
    }
  })
})
