// GET /admin/v1/accounts/{id}
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'

contract('GET /admin/v1/accounts/{id}', (gateway) => {
  test('200 returns the account, its plan and its subscription, and no key', async () => {
    const running = await gateway()
    const { id, planId, key } = await running.account(
      { name: 'Starter' },
      { name: 'Acme', status: 'past_due' },
    )
    const answer = await running.call('adminGetAccount', { params: { id } })
    assert.equal(answer.status, 200)
    const { account } = answer.json
    assert.deepEqual([account.id, account.name, account.plan], [id, 'Acme', { id: planId, name: 'Starter' }])
    assert.deepEqual([account.subscription.status, account.subscription.isPastDue], ['past_due', true])
    assert.ok(!answer.bytes.includes(key))
  })

  test('404 when the id does not exist', async () => {
    const answer = await (await gateway()).call('adminGetAccount', { params: { id: 999_999_999 } })
    assert.equal(answer.status, 404)
    assert.equal(answer.json.reason, 'account_not_found')
  })
})
