import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { adminCreatePlan } from '../../../src/contract/admin.ts'
import { bodyOf, draftOf, isWhole, NEW_PLAN, type Plan } from './plan-draft.ts'

describe('the form of a plan', () => {
  test('a new plan has no limits and no features', () => {
    const body = bodyOf({ ...NEW_PLAN, name: 'Starter' })
    assert.ok(adminCreatePlan.body.safeParse(body).success)
    assert.deepEqual(body.limits, {
      users: 'Unlimited',
      contacts: 'Unlimited',
      instances: 'Unlimited',
      messages: 'Unlimited',
    })
    assert.ok(Object.values(body.features).every((isOn) => !isOn))
    assert.equal(body.requestsPerSecond, null)
  })

  test('messages that are not counted have no limit, whatever the field says', () => {
    assert.equal(bodyOf({ ...NEW_PLAN, messages: '10', metered: false }).limits.messages, null)
    assert.equal(bodyOf({ ...NEW_PLAN, messages: '10' }).limits.messages, 10)
  })

  test('the form of a saved plan sends the same plan again', () => {
    const plan = {
      name: 'Starter',
      amount: 990,
      currency: 'eur',
      interval: 'year',
      limits: { users: 3, contacts: 'Unlimited', instances: 7, messages: null },
      features: { ai: false, flowBuilder: false, campaigns: true, templates: false, voiceCalls: false },
      requestsPerSecond: 5,
    } as const
    assert.deepEqual(bodyOf(draftOf(plan as unknown as Plan)), plan)
  })

  test('it is not sent with a limit or an amount that is not a number', () => {
    assert.equal(isWhole(NEW_PLAN), true)
    for (const wrong of ['-1', '1.5', 'x', '1234567890'])
      for (const field of ['users', 'messages', 'requestsPerSecond'] as const)
        assert.equal(isWhole({ ...NEW_PLAN, [field]: wrong }), false, `${field} ${wrong}`)
    for (const wrong of ['', '-1', '1.5']) assert.equal(isWhole({ ...NEW_PLAN, amount: wrong }), false, wrong)
  })
})
