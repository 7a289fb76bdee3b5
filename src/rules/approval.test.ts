import assert from 'node:assert/strict'
import { test } from 'node:test'
import { APPROVAL_MS, approvalDeadline, dayOf, secondsToNextDay } from './approval.ts'

const NOON = Date.parse('2026-01-31T12:00:00Z')

test('a send can be approved for a day after its time, and not after its own end', () => {
  assert.equal(approvalDeadline({ sendAt: null, expiresAt: null }, NOON), NOON + APPROVAL_MS)
  assert.equal(approvalDeadline({ sendAt: NOON + 5, expiresAt: null }, NOON), NOON + 5 + APPROVAL_MS)
  assert.equal(approvalDeadline({ sendAt: null, expiresAt: NOON + 5 }, NOON), NOON + 5)
})

test('days begin at midnight UTC', () => {
  assert.equal(new Date(dayOf(NOON)).toISOString(), '2026-01-31T00:00:00.000Z')
  assert.equal(secondsToNextDay(NOON), 12 * 3600)
  assert.equal(secondsToNextDay(dayOf(NOON)), 24 * 3600)
})
