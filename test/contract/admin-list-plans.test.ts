// GET /admin/v1/plans
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { faultPaths } from './fixture.ts'

contract('GET /admin/v1/plans', (gateway) => {
  test('200 returns plans in order of creation, starting with the one of the first start', async () => {
    const { call } = await gateway()
    const answer = await call('adminListPlans', { query: { limit: 1 } })
    assert.equal(answer.status, 200)
    const [first] = answer.json.plans
    assert.deepEqual(first, {
      id: first.id,
      name: 'Self-hosted',
      interval: 'month',
      currency: 'usd',
      amount: 0,
      limits: { users: 'Unlimited', contacts: 'Unlimited', instances: 'Unlimited', messages: 'Unlimited' },
      features: { ai: false, flowBuilder: false, campaigns: false, templates: false, voiceCalls: false },
      requestsPerSecond: null,
      createdAt: first.createdAt,
      updatedAt: first.updatedAt,
    })
  })

  test('200 returns pages without gaps or duplicates', async () => {
    const { call } = await gateway()
    for (let made = 0; made < 3; made += 1) await call('adminCreatePlan', { body: { name: `Page ${made}` } })
    const ids = async (page: number, limit: number) => {
      const { json } = await call('adminListPlans', { query: { page, limit } })
      assert.deepEqual([json.page, json.limit, json.count], [page, limit, json.plans.length])
      return { ids: json.plans.map((plan: { id: number }) => plan.id), hasMore: json.hasMore }
    }
    const [whole, one, two] = [await ids(1, 4), await ids(1, 2), await ids(2, 2)]
    assert.deepEqual([...one.ids, ...two.ids], whole.ids)
    assert.deepEqual(
      whole.ids,
      whole.ids.toSorted((a: number, b: number) => a - b),
    )
    assert.equal(one.hasMore, true)
    const beyond = await ids(1_000_000, 100)
    assert.deepEqual(beyond, { ids: [], hasMore: false })
    assert.equal((await call('adminListPlans')).json.limit, 50)
  })

  test('400 when page or limit is out of range', async () => {
    const { call } = await gateway()
    for (const [name, value] of [
      ['page', 0],
      ['page', 'x'],
      ['limit', 0],
      ['limit', 101],
    ] as const) {
      const answer = await call('adminListPlans', { query: { [name]: value } })
      assert.equal(answer.status, 400)
      assert.deepEqual(faultPaths(answer), [name])
    }
  })
})
