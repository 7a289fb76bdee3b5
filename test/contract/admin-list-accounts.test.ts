// GET /admin/v1/accounts
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { faultPaths } from './fixture.ts'

contract('GET /admin/v1/accounts', (gateway) => {
  test('200 returns accounts in order of creation, starting with the one of the first start', async () => {
    const { call } = await gateway()
    const answer = await call('adminListAccounts', { query: { limit: 1 } })
    assert.equal(answer.status, 200)
    assert.equal(answer.json.accounts[0].name, 'Default')
    assert.equal(answer.json.accounts[0].plan.name, 'Self-hosted')
  })

  test('200 returns complete pages, with each account as in GET /accounts/{id}', async () => {
    const running = await gateway()
    for (let made = 0; made < 3; made += 1) await running.account()
    const page = async (number: number, limit: number) =>
      (await running.call('adminListAccounts', { query: { page: number, limit } })).json
    const [whole, one, two] = [await page(1, 4), await page(1, 2), await page(2, 2)]
    assert.deepEqual([...one.accounts, ...two.accounts], whole.accounts)
    assert.deepEqual([one.count, one.page, one.limit, one.hasMore], [2, 1, 2, true])
    const alone = await running.call('adminGetAccount', { params: { id: whole.accounts[1].id } })
    assert.deepEqual(alone.json.account, whole.accounts[1])
    const beyond = await page(1_000_000, 100)
    assert.deepEqual([beyond.count, beyond.hasMore], [0, false])
  })

  test('400 when page or limit is out of range', async () => {
    const { call } = await gateway()
    for (const [name, value] of [
      ['page', 0],
      ['limit', 0],
      ['limit', 101],
      ['limit', ''],
    ] as const) {
      const answer = await call('adminListAccounts', { query: { [name]: value } })
      assert.equal(answer.status, 400)
      assert.deepEqual(faultPaths(answer), [name])
    }
  })
})
