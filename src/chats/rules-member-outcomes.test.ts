import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MemberAction } from '../contract/values.ts'
import { memberOutcome, requestOutcome } from './rules-groups.ts'

const CASES: [MemberAction, code: number, outcome: string, networkCode: number | null][] = [
  ['add', 200, 'added', null],
  ['add', 409, 'already_member', null],
  ['add', 404, 'not_on_network', null],
  ['add', 403, 'refused', 403],
  ['add', 408, 'refused', 408],
  ['remove', 200, 'removed', null],
  ['remove', 404, 'not_a_member', null],
  ['remove', 409, 'refused', 409],
  ['promote', 200, 'promoted', null],
  ['promote', 404, 'not_a_member', null],
  ['demote', 200, 'demoted', null],
  ['demote', 404, 'not_a_member', null],
]
for (const [action, code, outcome, networkCode] of CASES)
  test(`${action} with code ${code}: ${outcome}`, () => {
    assert.deepEqual(memberOutcome(action, { code, isInvited: false }), { outcome, networkCode })
  })

test('a person who was invited is not refused', () => {
  assert.deepEqual(memberOutcome('add', { code: 403, isInvited: true }), {
    outcome: 'invited',
    networkCode: null,
  })
})

test('requests to join: approved, rejected, gone or refused', () => {
  assert.deepEqual(requestOutcome('approve', { code: 200 }), { outcome: 'approved', networkCode: null })
  assert.deepEqual(requestOutcome('reject', { code: 200 }), { outcome: 'rejected', networkCode: null })
  assert.deepEqual(requestOutcome('reject', { code: 404 }), { outcome: 'no_request', networkCode: null })
  assert.deepEqual(requestOutcome('approve', { code: 500 }), { outcome: 'refused', networkCode: 500 })
})
