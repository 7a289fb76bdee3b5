// GET /admin/v1/plans/{id}
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'

contract('GET /admin/v1/plans/{id}', (gateway) => {
  test('200 returns the plan as created', async () => {
    const { call } = await gateway()
    const made = await call('adminCreatePlan', { body: { name: 'Read' } })
    const answer = await call('adminGetPlan', { params: { id: made.json.plan.id } })
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.json, made.json)
  })

  test('404 when the id does not exist', async () => {
    const answer = await (await gateway()).call('adminGetPlan', { params: { id: 999_999_999_999_999 } })
    assert.equal(answer.status, 404)
    assert.equal(answer.json.reason, 'plan_not_found')
  })
})
