// Which times of a request are accepted, and which message counts as late.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLate, refusedTime, scheduledFor } from './schedule.ts'

const NOW = Date.UTC(2026, 0, 31)
const DAY_MS = 24 * 60 * 60 * 1000
const none = { sendAt: null, expiresAt: null }

test('a request without times is accepted', () => {
  assert.equal(refusedTime(none, NOW), undefined)
  assert.equal(scheduledFor(none, NOW), null)
})

test('sendAt is accepted up to one year ahead, and refused in the past', () => {
  const refused = (sendAt: number) => refusedTime({ ...none, sendAt }, NOW)?.message
  assert.equal(refused(NOW + 365 * DAY_MS), undefined)
  assert.equal(refused(NOW + 367 * DAY_MS), 'must be at most one year ahead')
  assert.equal(refused(NOW - 61_000), 'must be in the future')
})

test('a sendAt that has just passed means at once: clocks differ', () => {
  const sendAt = NOW - 30_000
  assert.equal(refusedTime({ ...none, sendAt }, NOW), undefined)
  assert.equal(scheduledFor({ sendAt }, NOW), null)
  assert.equal(scheduledFor({ sendAt: NOW + 1 }, NOW), NOW + 1)
})

test('expiresAt must be in the future', () => {
  assert.equal(refusedTime({ ...none, expiresAt: NOW }, NOW)?.path, 'expiresAt')
  assert.equal(refusedTime({ ...none, expiresAt: NOW + 1 }, NOW), undefined)
})

test('a message is late when no process ran at its time', () => {
  assert.equal(isLate(NOW - 1000, NOW), false)
  assert.equal(isLate(NOW - 60_000, NOW), true)
})
