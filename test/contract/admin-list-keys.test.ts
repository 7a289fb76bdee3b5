// GET /admin/v1/accounts/{id}/api-keys
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'

contract('GET /admin/v1/accounts/{id}/api-keys', (gateway) => {
  test('200 returns what the account itself sees, and never a key', async () => {
    const running = await gateway()
    const mine = await running.account()
    const answer = await running.call('adminListKeys', { params: { id: mine.id } })
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.json, (await mine.call('listApiKeys')).json)
    assert.equal(answer.json.count, 1)
    assert.ok(!answer.bytes.includes(mine.key))
  })

  test('404 when the account does not exist', async () => {
    const answer = await (await gateway()).call('adminListKeys', { params: { id: 999_999_999 } })
    assert.equal(answer.status, 404)
    assert.equal(answer.json.reason, 'account_not_found')
  })
})
