import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type AcceptFacts,
  decideAccept,
  firstStatus,
  QUEUE_CAP,
  SCHEDULE_CAP,
  type SendTerms,
} from './accept-send.ts'

const TERMS: SendTerms = { messageLimit: null, messages: 1, sends: 1, sendAt: null, idempotency: null }
const INSTANCE = { loggedIn: true, queued: 0, scheduled: 0 }
const FACTS: AcceptFacts = { instance: INSTANCE, used: 0, usedByKey: 0, stored: undefined }
const decide = (terms: Partial<SendTerms>, facts: Partial<AcceptFacts> = {}) =>
  decideAccept({ ...TERMS, ...terms }, { ...FACTS, ...facts })

test('a send of a logged-in instance is accepted', () => {
  assert.deepEqual(decide({}), { outcome: 'accepted' })
})

test('a send whose answer has expired meanwhile is not accepted without its files', () => {
  const idempotency = { fingerprint: 'f' }
  const stored = { fingerprint: 'f', answer: '{}' }
  const repeated = { idempotency, isRepeated: true }
  assert.deepEqual(decide(repeated, { stored }), { outcome: 'replayed', answer: '{}' })
  assert.deepEqual(decide(repeated), { outcome: 'answer_expired' })
})

test('an instance that is gone, logged out or has a full queue accepts nothing', () => {
  assert.deepEqual(decide({}, { instance: undefined }), { outcome: 'instance_gone' })
  assert.deepEqual(decide({}, { instance: { ...INSTANCE, loggedIn: false } }), { outcome: 'not_logged_in' })
  const queue = (queued: number) => decide({}, { instance: { ...INSTANCE, queued } }).outcome
  assert.deepEqual([queue(QUEUE_CAP - 1), queue(QUEUE_CAP)], ['accepted', 'queue_full'])
})

test('a scheduled message needs room among the scheduled ones, not in the queue', () => {
  const full = { ...INSTANCE, queued: QUEUE_CAP }
  const schedule = (scheduled: number) => decide({ sendAt: 1 }, { instance: { ...full, scheduled } }).outcome
  assert.deepEqual([schedule(SCHEDULE_CAP - 1), schedule(SCHEDULE_CAP)], ['accepted', 'queue_full'])
})

test('a change of an earlier message is not counted', () => {
  assert.deepEqual(decide({ messageLimit: 0, messages: 0 }), { outcome: 'accepted' })
})

test('the quota refuses at the limit and reports what is used', () => {
  assert.deepEqual(decide({ messageLimit: 5 }, { used: 4 }), { outcome: 'accepted' })
  assert.deepEqual(decide({ messageLimit: 5 }, { used: 5 }), { outcome: 'limit_reached', used: 5 })
  assert.deepEqual(decide({ messageLimit: 5 }, { used: 7 }), { outcome: 'limit_reached', used: 7 })
  assert.deepEqual(decide({ messageLimit: 0 }), { outcome: 'limit_reached', used: 0 })
})

test('a repeated request gets the stored answer, a different request under the same key is refused', () => {
  const stored = { fingerprint: 'same', answer: 'first' }
  const withKey = (fingerprint: string) => decide({ idempotency: { fingerprint } }, { stored })
  assert.deepEqual(withKey('same'), { outcome: 'replayed', answer: 'first' })
  assert.deepEqual(withKey('other'), { outcome: 'key_reused' })
})

test('a stored answer is replayed even when instance and quota would refuse', () => {
  const facts = { instance: undefined, used: 1, stored: { fingerprint: 'same', answer: 'first' } }
  const outcome = decide({ messageLimit: 0, idempotency: { fingerprint: 'same' } }, facts)
  assert.deepEqual(outcome, { outcome: 'replayed', answer: 'first' })
})

test('a key has its own limit per day, before that of the plan', () => {
  const key = { id: 1, perDay: 2, day: 0, approveBy: null }
  assert.deepEqual(decide({ key }, { usedByKey: 1 }), { outcome: 'accepted' })
  const used = { usedByKey: 2, used: 9 }
  assert.deepEqual(decide({ key, messageLimit: 9 }, used), { outcome: 'key_limit_reached', used: 2 })
  assert.deepEqual(decide({ key: { ...key, perDay: null } }, { usedByKey: 99 }), { outcome: 'accepted' })
  assert.deepEqual(decide({ key, messages: 0 }, used), { outcome: 'key_limit_reached', used: 2 })
})

test('an album is accepted if every limit has room for all of its files; its files are then not refused', () => {
  const key = { id: 1, perDay: 5, day: 0, approveBy: null }
  const album = { key, messages: 3, sends: 3, messageLimit: 9 }
  assert.deepEqual(decide(album, { usedByKey: 2, used: 6 }), { outcome: 'accepted' })
  assert.deepEqual(decide(album, { usedByKey: 3 }), { outcome: 'key_limit_reached', used: 3 })
  assert.deepEqual(decide(album, { used: 7 }), { outcome: 'limit_reached', used: 7 })
  const queued = (left: number) =>
    decide(album, { instance: { ...INSTANCE, queued: QUEUE_CAP - left } }).outcome
  assert.deepEqual([queued(3), queued(2)], ['accepted', 'queue_full'])
  const full = { instance: { ...INSTANCE, queued: QUEUE_CAP }, usedByKey: 5, used: 9 }
  assert.deepEqual(decide({ ...album, messages: 0, sends: 0 }, full), { outcome: 'accepted' })
  assert.equal(decide({ messages: 0, sends: 0 }, { instance: undefined }).outcome, 'instance_gone')
})

test('a send that needs approval waits for it before its time, and is not in the queue', () => {
  const key = { id: 1, perDay: null, day: 0, approveBy: 5 }
  assert.equal(firstStatus({ sendAt: null, key }), 'awaiting_approval')
  assert.equal(firstStatus({ sendAt: 3, key }), 'awaiting_approval')
  assert.equal(firstStatus({ sendAt: 3 }), 'scheduled')
  assert.equal(firstStatus({ sendAt: null }), 'queued')
  const full = { ...INSTANCE, queued: QUEUE_CAP }
  assert.deepEqual(decide({ key }, { instance: full }), { outcome: 'accepted' })
  assert.deepEqual(decide({ key }, { instance: { ...INSTANCE, scheduled: SCHEDULE_CAP } }), {
    outcome: 'queue_full',
  })
})
