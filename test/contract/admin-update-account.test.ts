// PATCH /admin/v1/accounts/{id}
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { faultPaths } from './fixture.ts'

contract('PATCH /admin/v1/accounts/{id}', (gateway) => {
  test('200 renames the account and changes nothing else', async () => {
    const running = await gateway()
    const mine = await running.account()
    const params = { id: mine.id }
    const before = (await running.call('adminGetAccount', { params })).json.account
    running.clock.advance(1000)
    const answer = await running.call('adminUpdateAccount', { params, body: { name: 'Acme Ltd' } })
    assert.equal(answer.status, 200)
    const { account } = answer.json
    assert.ok(account.updatedAt > before.updatedAt)
    assert.deepEqual(account, { ...before, name: 'Acme Ltd', updatedAt: account.updatedAt })
    assert.equal((await mine.call('accountLimits')).json.account.teamName, 'Acme Ltd')
  })

  test('400 when the name is missing or its length is out of range', async () => {
    const running = await gateway()
    const { id } = await running.account()
    for (const body of [{}, { name: '' }, { name: 'x'.repeat(129) }, { name: 'a\u0000b' }, { name: 5 }]) {
      const answer = await running.call('adminUpdateAccount', { params: { id }, body })
      assert.equal(answer.status, 400)
      assert.deepEqual(faultPaths(answer), ['name'])
    }
  })

  test('404 when the id does not exist', async () => {
    const { call } = await gateway()
    const answer = await call('adminUpdateAccount', { params: { id: 999_999_999 }, body: { name: 'X' } })
    assert.equal(answer.status, 404)
    assert.equal(answer.json.reason, 'account_not_found')
  })
})
