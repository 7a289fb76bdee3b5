import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CALL_STATUSES, type CallStatus } from '../contract/calls.ts'
import { isCallNews, isOpenCall } from './rules.ts'

/** The statuses that are news after each one. */
const NEXT: Record<CallStatus, CallStatus[]> = {
  offer: ['ringing', 'accepted', 'rejected', 'missed', 'ended'],
  ringing: ['accepted', 'rejected', 'missed', 'ended'],
  accepted: ['ended'],
  rejected: [],
  missed: [],
  ended: [],
}

for (const before of CALL_STATUSES)
  test(`after ${before}: ${NEXT[before].join(', ') || 'nothing is news'}`, () => {
    assert.deepEqual(
      CALL_STATUSES.filter((status) => isCallNews(before, status)),
      NEXT[before],
    )
  })

test('every status of an unknown call is news', () => {
  assert.ok(CALL_STATUSES.every((status) => isCallNews(undefined, status)))
})

test('only a call that rings can be rejected', () => {
  assert.deepEqual(CALL_STATUSES.filter(isOpenCall), ['offer', 'ringing'])
})
