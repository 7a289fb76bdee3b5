// POST /api-keys
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import { SCOPES } from '../../src/contract/scopes.ts'
import { contract } from '../support/gateway.ts'
import { faultPaths, shared } from './fixture.ts'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

contract('POST /api-keys', (gateway) => {
  const account = shared(async () => (await gateway()).account())
  const create = async (body: unknown, key?: string) =>
    (await account()).call('createApiKey', { body, ...(key === undefined ? {} : { key }) })

  test('200 returns a well-formed key that works at once', async () => {
    const mine = await account()
    const answer = await create({ name: 'Shop' })
    assert.equal(answer.status, 200)
    const { key, apiKey } = answer.json
    assert.match(key, /^sk_[0-9A-Za-z]{32}[0-9A-Za-z]{6}$/)
    const checksum = (key as string)
      .slice(35)
      .split('')
      .reduce((sum, digit) => sum * 62 + BASE62.indexOf(digit), 0)
    assert.equal(checksum, crc32(key.slice(3, 35)))
    assert.deepEqual(apiKey, {
      id: apiKey.id,
      name: 'Shop',
      hint: `${key.slice(0, 5)}…${key.slice(-4)}`,
      scopes: [],
      instances: null,
      chats: null,
      messagesPerDay: null,
      approval: false,
      approvalOnPhone: false,
      createdAt: apiKey.createdAt,
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: null,
    })
    assert.equal((await mine.call('listInstances', { key })).status, 200)
  })

  test('200 stores only the SHA-256 of the key', async () => {
    const { store } = await gateway()
    const { key, apiKey } = (await create({ name: 'Hashed' })).json
    const row = await store.db
      .selectFrom('api_keys')
      .selectAll()
      .where('id', '=', apiKey.id)
      .executeTakeFirstOrThrow()
    assert.equal(row.hash, createHash('sha256').update(key).digest('hex'))
    assert.ok(!JSON.stringify(row).includes(key))
  })

  test('200 stores scopes without duplicates', async () => {
    const answer = await create({ name: 'Scoped', scopes: ['send', 'images', 'send'] })
    assert.deepEqual(answer.json.apiKey.scopes, ['send', 'images'])
    assert.deepEqual((await create({ name: 'All', scopes: SCOPES })).json.apiKey.scopes, SCOPES)
  })

  test('400 when name, scopes or expiry are out of range', async () => {
    const wrong: [Record<string, unknown>, string][] = [
      [{ name: undefined }, 'name'],
      [{ name: '' }, 'name'],
      [{ name: 'x'.repeat(65) }, 'name'],
      [{ name: 'a\nb' }, 'name'],
      [{ scopes: ['everything'] }, 'scopes.0'],
      [{ scopes: 'send' }, 'scopes'],
      [{ scopes: [...SCOPES, 'send'] }, 'scopes'],
      [{ expiresAt: 'tomorrow' }, 'expiresAt'],
      [{ expiresAt: '2026-02-30T00:00:00Z' }, 'expiresAt'],
      [{ expiresAt: '2026-01-31' }, 'expiresAt'],
      [{ expiresAt: 1_700_000_000 }, 'expiresAt'],
      [{ key: 'my-own-key' }, 'key'],
      [{ instances: [] }, 'instances'],
      [{ instances: ['support-00000000'] }, 'instances.0'],
      [{ instances: 'all' }, 'instances'],
      [{ chats: [] }, 'chats'],
      [{ chats: ['5511912345678'] }, 'chats.0'],
      [{ chats: 'everyone' }, 'chats'],
      [{ messagesPerDay: 0 }, 'messagesPerDay'],
      [{ messagesPerDay: 1.5 }, 'messagesPerDay'],
      [{ approval: 'yes' }, 'approval'],
      [{ approvalOnPhone: true }, 'approvalOnPhone'],
    ]
    for (const [fields, path] of wrong) {
      const answer = await create({ name: 'Shop', ...fields })
      assert.equal(answer.status, 400, JSON.stringify(fields))
      assert.deepEqual(faultPaths(answer), [path])
    }
  })

  test('400 when expiresAt is in the past', async () => {
    const { clock } = await gateway()
    for (const pastMs of [0, 1, 86_400_000]) {
      const answer = await create({ name: 'Late', expiresAt: new Date(clock.now() - pastMs).toISOString() })
      assert.equal(answer.status, 400)
      assert.deepEqual(answer.json.details, [{ path: 'expiresAt', message: 'must be in the future' }])
    }
  })

  test('403 when the new key would have more scopes than the caller', async () => {
    const narrow = (await create({ name: 'Keeper', scopes: ['keys', 'send'] })).json.key
    for (const scopes of [[], ['webhooks'], ['send', 'account']]) {
      const answer = await create({ name: 'Wider', scopes }, narrow)
      assert.equal(answer.status, 403, scopes.join())
      assert.equal(answer.json.reason, 'scope_missing')
    }
    // The three scopes together show what `read` shows, and were enough before it existed.
    const reader = (await create({ name: 'R', scopes: ['keys', 'send', 'contacts', 'webhooks'] })).json.key
    assert.equal((await create({ name: 'Read', scopes: ['read'] }, reader)).status, 200)
    assert.equal((await create({ name: 'Read', scopes: ['read'] }, narrow)).status, 403)
    const same = await create({ name: 'Same', scopes: ['send'] }, narrow)
    assert.deepEqual(same.json.apiKey.scopes, ['send'])
  })
})
