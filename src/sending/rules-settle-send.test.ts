import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MessageStatus } from '../contract/sending.ts'
import { failureOf, isWaiting, laneDueAt, type SendOutcome, statusAfter } from './rules-settle-send.ts'

const SENT: SendOutcome = { kind: 'sent', chat: 'a', text: 'hi' }
const FAILED: SendOutcome = { kind: 'failed', reason: 'rejected_by_network', error: 'No.', code: 463 }
const RETRY: SendOutcome = { kind: 'retry', at: 500 }
const OUTCOMES: SendOutcome[] = [SENT, FAILED, RETRY]
const ENDED: MessageStatus[] = ['sent', 'delivered', 'read', 'played', 'failed']

test('a waiting message becomes sent or failed; one to be retried stays sending', () => {
  for (const status of ['queued', 'sending'] as const) {
    assert.ok(isWaiting(status))
    assert.equal(statusAfter(status, SENT), 'sent')
    assert.equal(statusAfter(status, FAILED), 'failed')
    assert.equal(statusAfter(status, RETRY), 'sending')
  }
})

test('a message that no longer waits keeps its status with every outcome', () => {
  for (const status of ENDED) {
    assert.ok(!isWaiting(status))
    const after = OUTCOMES.map((outcome) => statusAfter(status, outcome))
    assert.deepEqual(after, [status, status, status])
  }
})

test('a lane is due at the time of the retry, at once when more waits, and else not at all', () => {
  assert.equal(laneDueAt(RETRY, 100, true), 500)
  assert.equal(laneDueAt(RETRY, 100, false), null)
  for (const outcome of [SENT, FAILED] as SendOutcome[]) {
    assert.equal(laneDueAt(outcome, 100, true), 100)
    assert.equal(laneDueAt(outcome, 100, false), null)
  }
})

test('only a failed send has a failure', () => {
  assert.deepEqual(failureOf(FAILED), { reason: 'rejected_by_network', error: 'No.', code: 463 })
  assert.deepEqual([failureOf(SENT), failureOf(RETRY)], [null, null])
})
