// POST /admin/v1/plans
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { faultPaths, UNLIMITED_PLAN } from './fixture.ts'
import { WHOLE_PLAN, WRONG_PLANS } from './plan-rules.ts'

contract('POST /admin/v1/plans', (gateway) => {
  test('200 stores every field', async () => {
    const { call } = await gateway()
    const answer = await call('adminCreatePlan', { body: WHOLE_PLAN })
    assert.equal(answer.status, 200)
    const { id, createdAt, updatedAt, ...plan } = answer.json.plan
    assert.deepEqual(plan, WHOLE_PLAN)
    assert.equal(createdAt, updatedAt)
    assert.deepEqual((await call('adminGetPlan', { params: { id } })).json, answer.json)
  })

  test('200 creates a plan without limits or features from a name alone', async () => {
    const { call } = await gateway()
    const {
      id: _id,
      createdAt: _createdAt,
      updatedAt: _updatedAt,
      ...plan
    } = (await call('adminCreatePlan', { body: { name: 'Bare' } })).json.plan
    assert.deepEqual(plan, {
      name: 'Bare',
      interval: 'month',
      currency: 'usd',
      amount: 0,
      limits: UNLIMITED_PLAN,
      features: { ai: false, flowBuilder: false, campaigns: false, templates: false, voiceCalls: false },
      requestsPerSecond: null,
    })
  })

  test('200 accepts each interval', async () => {
    const { call } = await gateway()
    for (const interval of ['day', 'week', 'month', 'year'])
      assert.equal(
        (await call('adminCreatePlan', { body: { name: 'X', interval } })).json.plan.interval,
        interval,
      )
  })

  test('400 when a field is missing or out of range', async () => {
    const { call } = await gateway()
    for (const [fields, path] of [...WRONG_PLANS, [{ name: undefined }, 'name'] as const]) {
      const answer = await call('adminCreatePlan', { body: { name: 'X', ...fields } })
      assert.equal(answer.status, 400, JSON.stringify(fields))
      assert.deepEqual(faultPaths(answer), [path])
    }
    const { users: _users, ...limits } = UNLIMITED_PLAN
    assert.deepEqual(faultPaths(await call('adminCreatePlan', { body: { name: 'X', limits } })), [
      'limits.users',
    ])
  })
})
