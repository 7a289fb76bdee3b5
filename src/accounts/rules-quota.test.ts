import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { UNLIMITED } from '../contract/account.ts'
import { limitOf, limitReached, limitsOf, usageOf } from './rules.ts'

const LIMITS = { users: 3, contacts: 0, instances: UNLIMITED, messages: null }
const plan = { limits: JSON.stringify(LIMITS) }

describe('quota', () => {
  test('the limits of a plan are read from its row', () => {
    assert.deepEqual(limitsOf(plan), LIMITS)
  })

  test('limitOf returns a number, and null for unlimited and uncounted resources', () => {
    assert.equal(limitOf(plan, 'users'), 3)
    assert.equal(limitOf(plan, 'contacts'), 0)
    assert.equal(limitOf(plan, 'instances'), null)
    assert.equal(limitOf(plan, 'messages'), null)
  })

  test('a refusal names resource, limit and usage', () => {
    const { reason, extra } = limitReached('users', 3, 3)
    assert.equal(reason, 'limit_reached')
    assert.deepEqual(extra, { resource: 'users', limit: 3, used: 3 })
  })

  test('an unlimited resource never reaches its limit', () => {
    assert.deepEqual(usageOf(UNLIMITED, 12), {
      limit: UNLIMITED,
      used: 12,
      remaining: UNLIMITED,
      isLimitReached: false,
    })
  })

  test('remaining is never negative, and is 0 exactly where the limit is reached', () => {
    fc.assert(
      fc.property(fc.nat(100), fc.nat(200), (limit, used) => {
        const { remaining, isLimitReached } = usageOf(limit, used)
        assert.ok(typeof remaining === 'number' && remaining >= 0)
        assert.equal(isLimitReached, remaining === 0)
      }),
    )
  })
})
