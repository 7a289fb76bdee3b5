// When a node holds its lease, and when another node counts as gone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { goneNodes, isHeld, type LiveNode, leaseTimes, type Moment, observe } from './rules.ts'

const times = leaseTimes(12)
const at = (ms: number, suspendedMs = 0): Moment => ({ monotonicMs: ms, suspendedMs })
const node = (leaseUntil: number, id = 7): LiveNode => ({ id, name: 'other', leaseUntil })

test('a lease of 12 s is renewed every 3 s, used for 9 s, and observed for 10 s', () => {
  assert.deepEqual(times, {
    renewMs: 3000,
    holdMs: 9000,
    observeMs: 10_000,
    leaseMs: 12_000,
    settleMs: 30_000,
  })
})

test('the holder stops before an observer may declare it gone, for every lease', () => {
  for (let seconds = 12; seconds <= 120; seconds += 1) {
    const { renewMs, holdMs, observeMs, leaseMs } = leaseTimes(seconds)
    assert.ok(renewMs * 2 < holdMs && holdMs < observeMs && observeMs < leaseMs, String(seconds))
  }
})

test('the lease is held until 9 s after the last renewal was sent', () => {
  assert.equal(isHeld(undefined, at(0), times.holdMs), false)
  assert.equal(isHeld(at(1000), at(9999), times.holdMs), true)
  assert.equal(isHeld(at(1000), at(10_000), times.holdMs), false)
})

test('the time in which the machine was suspended counts, although the monotonic clock stood still', () => {
  assert.equal(isHeld(at(1000, 50_000), at(1100, 58_899), times.holdMs), true)
  assert.equal(isHeld(at(1000, 50_000), at(1100, 58_900), times.holdMs), false)
})

test('a node counts as dead when its lease has ended at the database and was seen unchanged for 10 s', () => {
  const seen = observe(new Map(), [node(500)], 1000)
  const goneAt = (nowMs: number, databaseNow: number) =>
    goneNodes(seen, { databaseNow, nowMs, observeMs: times.observeMs })
  assert.deepEqual(goneAt(11_000, 501), [7])
  assert.deepEqual(goneAt(10_999, 501), [], 'not seen for long enough')
  assert.deepEqual(goneAt(11_000, 500), [], 'not ended at the database')
})

test('a renewed lease is observed anew, an unchanged one keeps its time, and a missing node is forgotten', () => {
  const first = observe(new Map(), [node(500), node(600, 8)], 1000)
  const second = observe(first, [node(500), node(700, 8)], 2000)
  assert.deepEqual(
    [...second],
    [
      [7, { leaseUntil: 500, sinceMs: 1000 }],
      [8, { leaseUntil: 700, sinceMs: 2000 }],
    ],
  )
  assert.deepEqual([...observe(second, [], 3000)], [])
})
