// POST /api-keys/{id}/rotate
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lockAccount } from '../../src/store/locks.ts'
import { contractOnEachEngine } from '../support/gateway.ts'
import { atOnce, faultPaths, shared } from './fixture.ts'

const HOUR_MS = 3_600_000

contractOnEachEngine('POST /api-keys/{id}/rotate', (gateway) => {
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

  test('200 returns a new key with the same name and scopes; the old one stays valid for overlapHours', async () => {
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

  test('200 uses 24 hours by default', async () => {
    const { clock } = await gateway()
    for (const body of [undefined, {}]) {
      const old = await made()
      const before = clock.now()
      await rotate(old.apiKey.id, body)
      const end = Date.parse((await listed(old.apiKey.id)).expiresAt)
      assert.ok(end >= before + 24 * HOUR_MS && end <= clock.now() + 24 * HOUR_MS)
    }
  })

  test('200 refuses the old key within a second with overlapHours 0', async () => {
    const { clock } = await gateway()
    const old = await made()
    assert.equal(await opens(old.key), true)
    const { key } = (await rotate(old.apiKey.id, { overlapHours: 0 })).json
    clock.advance(1000)
    assert.deepEqual([await opens(old.key), await opens(key)], [false, true])
  })

  test('200 never extends the expiry of the old key, and gives the new key the same expiry', async () => {
    const { clock } = await gateway()
    const expiresAt = new Date(clock.now() + HOUR_MS).toISOString()
    const old = await made({ expiresAt })
    const { apiKey } = (await rotate(old.apiKey.id, { overlapHours: 168 })).json
    assert.equal(apiKey.expiresAt, expiresAt)
    assert.equal((await listed(old.apiKey.id)).expiresAt, expiresAt)
  })

  test('200 gives the new key its own lifetime when the old key is rotated again during the overlap', async () => {
    const { clock } = await gateway()
    const expiresAt = new Date(clock.now() + 48 * HOUR_MS).toISOString()
    for (const ownEnd of [null, expiresAt]) {
      const old = await made({ expiresAt: ownEnd })
      await rotate(old.apiKey.id, { overlapHours: 2 })
      const { expiresAt: overlapEnd } = await listed(old.apiKey.id)
      const { key, apiKey } = (await rotate(old.apiKey.id, { overlapHours: 24 })).json
      assert.equal(apiKey.expiresAt, ownEnd)
      assert.equal((await listed(old.apiKey.id)).expiresAt, overlapEnd, 'the overlap is not lengthened')
      clock.advance(3 * HOUR_MS)
      assert.deepEqual([await opens(old.key), await opens(key)], [false, true])
    }
  })

  test('200 revokes the unused key of an earlier rotation; the last key and a used one stay valid', async () => {
    const { clock, store } = await gateway()
    const old = await made()
    const lost = (await rotate(old.apiKey.id)).json
    const used = (await rotate(old.apiKey.id)).json
    clock.advance(1000)
    assert.deepEqual([await opens(lost.key), await opens(used.key)], [false, true])
    const noted = { last_used_at: clock.now() }
    await store.db.updateTable('api_keys').set(noted).where('id', '=', used.apiKey.id).execute()
    const last = (await rotate(old.apiKey.id)).json
    clock.advance(1000)
    assert.deepEqual([await opens(used.key), await opens(last.key)], [true, true])
  })

  test('409 for all but one of several concurrent rotations, and those change nothing', async () => {
    const running = await gateway()
    const mine = await account()
    const old = await made({ name: 'At once' })
    const call = () => rotate(old.apiKey.id)
    const answers = await atOnce(running, (tx) => lockAccount(tx, mine.id), [call, call, call, call])
    const [made200, ...others] = answers.sort((a, b) => a.status - b.status)
    assert.equal(made200?.status, 200)
    for (const { status, json } of others) assert.deepEqual([status, json.reason], [409, 'rotated_meanwhile'])
    const { apiKeys } = (await mine.call('listApiKeys')).json
    const left = apiKeys.filter(({ name }: { name: string }) => name === 'At once')
    assert.deepEqual(
      left.map(({ id }: { id: number }) => id),
      [old.apiKey.id, made200?.json.apiKey.id],
    )
    assert.equal(await opens(made200?.json.key), true)
  })

  test('200 or 404 when the key is revoked at the same time; the old key stops working', async () => {
    const running = await gateway()
    const mine = await account()
    const old = await made()
    const revoke = () => mine.call('revokeApiKey', { params: { id: old.apiKey.id } })
    const [revoked, rotated] = await atOnce(running, (tx) => lockAccount(tx, mine.id), [
      revoke,
      () => rotate(old.apiKey.id),
    ])
    assert.equal(revoked?.status, 200)
    assert.ok(rotated?.status === 200 || rotated?.json.reason === 'api_key_not_found')
    running.clock.advance(1000)
    assert.equal(await opens(old.key), false)
  })

  test('200 when a key rotates itself', async () => {
    const mine = await account()
    const old = await made()
    const answer = await mine.call('rotateApiKey', { params: { id: old.apiKey.id }, key: old.key })
    assert.equal(await opens(answer.json.key), true)
  })

  test('400 when overlapHours is not from 0 to 168', async () => {
    const { apiKey } = await made()
    for (const overlapHours of [-1, 169, 1.5, '24', null]) {
      const answer = await rotate(apiKey.id, { overlapHours })
      assert.equal(answer.status, 400)
      assert.deepEqual(faultPaths(answer), ['overlapHours'])
    }
    assert.equal((await rotate(apiKey.id, { overlapHours: 168 })).status, 200)
  })

  test('403 when the rotated key has more scopes than the caller', async () => {
    const mine = await account()
    const narrow = (await made({ scopes: ['keys'] })).key
    const wide = await made()
    const answer = await mine.call('rotateApiKey', { params: { id: wide.apiKey.id }, key: narrow })
    assert.equal(answer.status, 403)
    assert.equal(answer.json.reason, 'scope_missing')
    assert.equal((await listed(wide.apiKey.id)).expiresAt, null)
  })

  test('404 when the key does not exist, is revoked or has expired', async () => {
    const { clock } = await gateway()
    const revoked = await made()
    await (await account()).call('revokeApiKey', { params: { id: revoked.apiKey.id } })
    const expired = await made({ expiresAt: new Date(clock.now() + 1000).toISOString() })
    clock.advance(1000)
    for (const id of [999_999_999, revoked.apiKey.id, expired.apiKey.id]) {
      const answer = await rotate(id)
      assert.equal(answer.status, 404)
      assert.equal(answer.json.reason, 'api_key_not_found')
    }
  })
})
