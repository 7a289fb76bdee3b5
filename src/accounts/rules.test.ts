import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { SubscriptionStatus } from '../contract/account.ts'
import { currentPeriod, hasAccess, periodStart, toSubscription } from './rules.ts'

const NOW = Date.UTC(2026, 5, 15)
const PAST = NOW - 1
const FUTURE = NOW + 1
const NO_DATES = { current_period_end: null, trial_ends_at: null, expires_at: null }

describe('access', () => {
  const cases: [status: SubscriptionStatus, dates: Partial<typeof NO_DATES> | object, expected: boolean][] = [
    ['active', {}, true],
    ['active', { expires_at: FUTURE }, true],
    ['active', { expires_at: NOW }, false],
    ['past_due', {}, true],
    ['past_due', { expires_at: PAST }, false],
    ['trialing', {}, true],
    ['trialing', { trial_ends_at: FUTURE }, true],
    ['trialing', { trial_ends_at: NOW }, false],
    ['canceled', {}, false],
    ['canceled', { current_period_end: FUTURE }, true],
    ['canceled', { current_period_end: PAST }, false],
    ['canceled', { current_period_end: FUTURE, expires_at: PAST }, false],
    ['expired', { expires_at: FUTURE }, false],
    ['pending', {}, false],
  ]
  for (const [status, dates, expected] of cases) {
    test(`${status} with ${JSON.stringify(dates)}: ${expected}`, () => {
      assert.equal(hasAccess({ ...NO_DATES, status, ...dates }, NOW), expected)
    })
  }

  test('access that has ended does not come back later', () => {
    const end = fc.option(fc.integer({ min: NOW, max: NOW + 1000 }))
    const row = fc.record({
      status: fc.constantFrom('active', 'past_due', 'trialing', 'canceled', 'expired', 'pending'),
      current_period_end: end,
      trial_ends_at: end,
      expires_at: end,
    })
    fc.assert(
      fc.property(row, fc.nat(1000), fc.nat(1000), (dates, after, later) => {
        if (!hasAccess(dates, NOW + after)) assert.equal(hasAccess(dates, NOW + after + later), false)
      }),
    )
  })
})

describe('the subscription in answers', () => {
  test('the effective expiry is the earliest end', () => {
    const row = {
      status: 'trialing',
      current_period_end: null,
      trial_ends_at: FUTURE,
      expires_at: FUTURE + 5,
    }
    const shown = toSubscription(row, NOW)
    assert.equal(shown.effectiveExpiry, new Date(FUTURE).toISOString())
    assert.deepEqual([shown.hasAccess, shown.isTrial, shown.isExpired], [true, true, false])
  })

  test('a subscription whose end has passed is expired with every status', () => {
    const shown = toSubscription({ ...NO_DATES, status: 'active', expires_at: PAST }, NOW)
    assert.deepEqual([shown.status, shown.isExpired, shown.hasAccess], ['active', true, false])
  })
})

// Properties of periods: test/property/subscription-period.test.ts.
describe('periods', () => {
  test('a month that is shorter than the anchor’s day begins on its last day', () => {
    const anchor = Date.UTC(2026, 0, 31, 12)
    assert.equal(periodStart(anchor, 'month', 1), Date.UTC(2026, 1, 28, 12))
    assert.equal(periodStart(anchor, 'month', 2), Date.UTC(2026, 2, 31, 12))
  })

  test('before its anchor a subscription is in its first period', () => {
    assert.equal(currentPeriod(NOW, 'month', NOW - 1), NOW)
  })
})
