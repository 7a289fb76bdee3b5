import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { commitLoss } from './rules.ts'

const known = { leaseUntil: 5000, timeline: '00000001', isSynchronous: false, at: 1000 }
const found = { leaseUntil: 5000, timeline: '00000001', now: 4000 }

describe('lost commits', () => {
  test('none: the row of the node is as it was, or a renewal without an answer has moved it', () => {
    assert.equal(commitLoss(known, found), 'none')
    assert.equal(commitLoss(known, { ...found, leaseUntil: 6000 }), 'none')
  })

  test('certain: the row has gone back or is missing, also with synchronous replication', () => {
    for (const isSynchronous of [false, true]) {
      assert.equal(commitLoss({ ...known, isSynchronous }, { ...found, leaseUntil: 4999 }), 'certain')
      assert.equal(commitLoss({ ...known, isSynchronous }, { ...found, leaseUntil: null }), 'certain')
    }
  })

  test('none: the row of a node that was frozen for days was removed', () => {
    assert.equal(commitLoss(known, { ...found, leaseUntil: null, now: 90_000_000 }), 'none')
  })

  test('possible: a replica was promoted that commits did not wait for', () => {
    const promoted = { ...found, timeline: '00000002' }
    assert.equal(commitLoss(known, promoted), 'possible')
    assert.equal(commitLoss({ ...known, isSynchronous: true }, promoted), 'none')
  })

  test('a node that starts compares the timeline only, and an unknown one means nothing', () => {
    const { leaseUntil: _, ...recorded } = known
    assert.equal(commitLoss(recorded, { ...found, leaseUntil: 1 }), 'none')
    assert.equal(commitLoss(recorded, { ...found, timeline: '00000002' }), 'possible')
    assert.equal(commitLoss({ ...known, timeline: null }, { ...found, timeline: '00000002' }), 'none')
    assert.equal(commitLoss(known, { ...found, timeline: null }), 'none')
  })
})
