// PATCH /admin/v1/plans/{id}
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { faultPaths, UNLIMITED_PLAN } from './fixture.ts'
import { WHOLE_PLAN, WRONG_PLANS } from './plan-rules.ts'

contract('PATCH /admin/v1/plans/{id}', (gateway) => {
  test('200 updates each field alone and keeps omitted fields', async () => {
    const { call, clock } = await gateway()
    let known = (await call('adminCreatePlan', { body: { name: 'Before' } })).json.plan
    for (const [name, value] of Object.entries(WHOLE_PLAN)) {
      clock.advance(2)
      const answer = await call('adminUpdatePlan', { params: { id: known.id }, body: { [name]: value } })
      assert.equal(answer.status, 200)
      const { plan } = answer.json
      assert.ok(plan.updatedAt > known.updatedAt)
      assert.deepEqual(plan, { ...known, [name]: value, updatedAt: plan.updatedAt })
      known = plan
    }
    const lifted = await call('adminUpdatePlan', {
      params: { id: known.id },
      body: { requestsPerSecond: null },
    })
    assert.equal(lifted.json.plan.requestsPerSecond, null)
    assert.deepEqual((await call('adminGetPlan', { params: { id: known.id } })).json, lifted.json)
  })

  test('200 applies a new limit to the accounts of the plan within a second', async () => {
    const running = await gateway()
    const mine = await running.account()
    await mine.call('createInstance', { body: { instanceName: 'One' } })
    const limits = { ...UNLIMITED_PLAN, instances: 1 }
    await running.call('adminUpdatePlan', { params: { id: mine.planId }, body: { limits } })
    running.clock.advance(1000)
    assert.equal((await mine.call('createInstance', { body: { instanceName: 'Two' } })).status, 403)
  })

  test('400 when a field is out of range', async () => {
    const { call } = await gateway()
    const { id } = (await call('adminCreatePlan', { body: { name: 'Before' } })).json.plan
    for (const [body, path] of WRONG_PLANS) {
      const answer = await call('adminUpdatePlan', { params: { id }, body })
      assert.equal(answer.status, 400, JSON.stringify(body))
      assert.deepEqual(faultPaths(answer), [path])
    }
  })

  test('404 when the id does not exist', async () => {
    const { call } = await gateway()
    const answer = await call('adminUpdatePlan', { params: { id: 999_999_999 }, body: { amount: 1 } })
    assert.equal(answer.status, 404)
    assert.equal(answer.json.reason, 'plan_not_found')
  })
})
