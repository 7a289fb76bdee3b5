// GET /admin/v1/accounts/{id}/users
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { faultPaths } from './fixture.ts'

contract('GET /admin/v1/accounts/{id}/users', (gateway) => {
  test('200 returns only the users of this account, in pages', async () => {
    const running = await gateway()
    const [{ id }, other] = [await running.account(), await running.account()]
    const add = (accountId: number, name: string) =>
      running.call('adminCreateUser', {
        params: { id: accountId },
        body: { name, email: `${name}@example.com` },
      })
    const made = [await add(id, 'a'), await add(id, 'b'), await add(id, 'c')].map(({ json }) => json.user)
    await add(other.id, 'd')
    const list = async (query: Record<string, number> = {}) =>
      (await running.call('adminListUsers', { params: { id }, query })).json
    const paging = { success: true, page: 1, limit: 50, hasMore: false }
    assert.deepEqual(await list(), { ...paging, count: 3, users: made })
    const [one, two] = [await list({ limit: 2 }), await list({ limit: 2, page: 2 })]
    assert.deepEqual([...one.users, ...two.users], made)
    assert.deepEqual([one.hasMore, two.hasMore], [true, false])
  })

  test('400 when page or limit is out of range', async () => {
    const running = await gateway()
    const { id } = await running.account()
    for (const [name, value] of [
      ['page', 0],
      ['limit', 0],
      ['limit', 101],
    ] as const) {
      const answer = await running.call('adminListUsers', { params: { id }, query: { [name]: value } })
      assert.equal(answer.status, 400)
      assert.deepEqual(faultPaths(answer), [name])
    }
  })

  test('404 when the account does not exist', async () => {
    const answer = await (await gateway()).call('adminListUsers', { params: { id: 999_999_999 } })
    assert.equal(answer.status, 404)
    assert.equal(answer.json.reason, 'account_not_found')
  })
})
