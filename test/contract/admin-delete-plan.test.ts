// DELETE /admin/v1/plans/{id}
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'

contract('DELETE /admin/v1/plans/{id}', (gateway) => {
  test('200 deletes a plan that no account uses', async () => {
    const { call } = await gateway()
    const { id } = (await call('adminCreatePlan', { body: { name: 'Short-lived' } })).json.plan
    const answer = await call('adminDeletePlan', { params: { id } })
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.json, { success: true, id })
    assert.equal((await call('adminGetPlan', { params: { id } })).status, 404)
  })

  test('404 when the id never existed or is deleted', async () => {
    const { call } = await gateway()
    const { id } = (await call('adminCreatePlan', { body: { name: 'Gone' } })).json.plan
    await call('adminDeletePlan', { params: { id } })
    for (const unknown of [id, 999_999_999]) {
      const answer = await call('adminDeletePlan', { params: { id: unknown } })
      assert.equal(answer.status, 404)
      assert.equal(answer.json.reason, 'plan_not_found')
    }
  })

  test('409 while an account uses the plan', async () => {
    const running = await gateway()
    const { id: account, planId: id } = await running.account()
    const answer = await running.call('adminDeletePlan', { params: { id } })
    assert.equal(answer.status, 409)
    assert.equal(answer.json.reason, 'plan_in_use')
    assert.equal((await running.call('adminGetPlan', { params: { id } })).status, 200)
    await running.call('adminDeleteAccount', { params: { id: account } })
    assert.equal((await running.call('adminDeletePlan', { params: { id } })).status, 200)
  })
})
