import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FAILING_LIMIT_MS, healthAfter, type WebhookHealth } from './rules.ts'

const HEALTHY: WebhookHealth = { enabled: true, failingSince: null, disabledReason: null, disabledAt: null }
const DELIVERED = { isDelivered: true, isGone: false, isPosted: true }
const FAILED = { isDelivered: false, isGone: false, isPosted: true }
const GONE = { isDelivered: false, isGone: true, isPosted: true }

test('failures in a row are dated from the first, and a success ends the row', () => {
  const failing = healthAfter(HEALTHY, FAILED, 100)
  assert.deepEqual(failing, { ...HEALTHY, failingSince: 100 })
  assert.equal(healthAfter(failing, FAILED, 200), failing)
  assert.deepEqual(healthAfter(failing, DELIVERED, 300), HEALTHY)
  assert.equal(healthAfter(HEALTHY, DELIVERED, 300), HEALTHY)
})

test('120 hours of failures disable the webhook, one millisecond less does not', () => {
  const failing = { ...HEALTHY, failingSince: 100 }
  assert.equal(healthAfter(failing, FAILED, 100 + FAILING_LIMIT_MS - 1), failing)
  const end = 100 + FAILING_LIMIT_MS
  assert.deepEqual(healthAfter(failing, FAILED, end), {
    enabled: false,
    failingSince: 100,
    disabledReason: 'failing',
    disabledAt: end,
  })
})

test('a receiver that answers "gone" disables its webhook at once', () => {
  const gone = { enabled: false, failingSince: 100, disabledReason: 'gone', disabledAt: 100 }
  assert.deepEqual(healthAfter(HEALTHY, GONE, 100), gone)
  const both = healthAfter({ ...HEALTHY, failingSince: 0 }, GONE, FAILING_LIMIT_MS)
  assert.equal(both.disabledReason, 'gone')
})

test('a webhook that is disabled already keeps its reason and time', () => {
  const disabled = { enabled: false, failingSince: 100, disabledReason: 'gone', disabledAt: 100 }
  assert.equal(healthAfter(disabled, FAILED, 100 + FAILING_LIMIT_MS), disabled)
  assert.deepEqual(healthAfter(disabled, DELIVERED, 200), { ...disabled, failingSince: null })
})

test('an event that is not posted says nothing about the receiver', () => {
  const failing = { ...HEALTHY, failingSince: 100 }
  assert.equal(healthAfter(failing, { ...DELIVERED, isPosted: false }, 300), failing)
})
