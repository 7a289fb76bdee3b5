// POST /admin/v1/accounts/{id}/api-keys
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { faultPaths } from './fixture.ts'

contract('POST /admin/v1/accounts/{id}/api-keys', (gateway) => {
  test('200 creates a key for the account, with any scopes', async () => {
    const running = await gateway()
    const mine = await running.account()
    const create = (body: Record<string, unknown>) =>
      running.call('adminCreateKey', { params: { id: mine.id }, body: { name: 'Rescue', ...body } })
    const all = await create({})
    assert.equal(all.status, 200)
    assert.deepEqual([all.json.apiKey.name, all.json.apiKey.scopes], ['Rescue', []])
    const limits = await mine.call('accountLimits', { key: all.json.key })
    assert.equal(limits.json.account.teamId, mine.id)
    const narrow = await create({ scopes: ['send'] })
    assert.equal((await mine.call('accountLimits', { key: narrow.json.key })).status, 403)
  })

  test('400 when name, scopes or expiry are out of range', async () => {
    const running = await gateway()
    const { id } = await running.account()
    for (const [body, path] of [
      [{ name: '' }, 'name'],
      [{ name: 'x', scopes: ['all'] }, 'scopes.0'],
      [{ name: 'x', expiresAt: 'x' }, 'expiresAt'],
      [{ name: 'x', expiresAt: '2020-01-31T12:00:00Z' }, 'expiresAt'],
    ] as const) {
      const answer = await running.call('adminCreateKey', { params: { id }, body })
      assert.equal(answer.status, 400)
      assert.deepEqual(faultPaths(answer), [path])
    }
  })

  test('404 when the account does not exist', async () => {
    const { call } = await gateway()
    const answer = await call('adminCreateKey', { params: { id: 999_999_999 }, body: { name: 'X' } })
    assert.equal(answer.status, 404)
    assert.equal(answer.json.reason, 'account_not_found')
  })
})
