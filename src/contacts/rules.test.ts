import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ABSENT_COUNTS_MS, canServeStored, nextPicture } from './rules.ts'

const NOW = 1_800_000_000_000
const sealed = new Uint8Array(1)

test('a stored picture is served with its bytes; "no picture" is reused for an hour, except for the account itself', () => {
  const others = { now: NOW, isOwn: false }
  assert.equal(canServeStored(undefined, others), false)
  assert.equal(canServeStored({ status: 'unknown', sealed: null, checked_at: 0 }, others), false)
  assert.equal(canServeStored({ status: 'present', sealed, checked_at: 0 }, others), true)
  assert.equal(canServeStored({ status: 'present', sealed: null, checked_at: NOW }, others), false)
  assert.equal(canServeStored({ status: 'absent', sealed: null, checked_at: NOW }, others), true)
  const old = { status: 'absent', sealed: null, checked_at: NOW - ABSENT_COUNTS_MS }
  assert.equal(canServeStored(old, others), false)
  assert.equal(
    canServeStored({ status: 'absent', sealed: null, checked_at: NOW }, { now: NOW, isOwn: true }),
    false,
  )
})

test('the first answer is not a change; another, a removed and a new picture are', () => {
  const known = { status: 'present', digest: 'a', version: 5 }
  const none = { status: 'absent', digest: null, version: 6 }
  assert.deepEqual(nextPicture(undefined, 'a', NOW), { status: 'present', version: NOW, isChange: false })
  assert.deepEqual(nextPicture({ status: 'unknown', digest: null, version: 0 }, null, NOW), {
    status: 'absent',
    version: NOW,
    isChange: false,
  })
  assert.deepEqual(nextPicture(known, 'a', NOW), { status: 'present', version: 5, isChange: false })
  assert.deepEqual(nextPicture(known, 'b', NOW), { status: 'present', version: NOW, isChange: true })
  assert.deepEqual(nextPicture(known, null, NOW), { status: 'absent', version: NOW, isChange: true })
  assert.deepEqual(nextPicture(none, null, NOW), { status: 'absent', version: 6, isChange: false })
  assert.deepEqual(nextPicture(none, 'a', NOW), { status: 'present', version: NOW, isChange: true })
  const announced = { status: 'present', digest: null, version: 7 }
  assert.deepEqual(nextPicture(announced, 'b', NOW), { status: 'present', version: 7, isChange: false })
})
