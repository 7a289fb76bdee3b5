import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { countToRelease, countToTake, fairShare, maxDifference, type Share } from './rules.ts'

const OLD_MS = 60_000
const share = (change: Partial<Share>): Share => ({
  own: 0,
  untaken: 0,
  untakenForMs: 0,
  others: [],
  ageMs: OLD_MS,
  unchangedForMs: OLD_MS,
  settleMs: 30_000,
  waitingHandshakes: 0,
  ...change,
})
const peers = (...instances: number[]) => instances.map((count) => ({ instances: count, ageMs: OLD_MS }))

describe('what a node takes', () => {
  test('nothing, if every instance is served', () => {
    assert.equal(countToTake(share({ own: 3, others: peers(9) })), 0)
  })
  test('up to its share, so that the other nodes get theirs', () => {
    assert.equal(countToTake(share({ own: 10, untaken: 6, others: peers(10, 10) })), 2)
    assert.equal(countToTake(share({ own: 12, untaken: 4, others: peers(10, 10) })), 0)
  })
  test('a few at a time, and none while its handshakes wait', () => {
    assert.equal(countToTake(share({ untaken: 1000 })), 16)
    assert.equal(countToTake(share({ untaken: 1000, waitingHandshakes: 8 })), 0)
  })
  test('also beyond its share, if instances stay without a node', () => {
    assert.equal(countToTake(share({ own: 100, untaken: 1, others: peers(0), untakenForMs: 10_000 })), 16)
  })
})

describe('what a node hands over', () => {
  test('a few at a time, beyond its share', () => {
    assert.equal(countToRelease(share({ own: 100, others: peers(0) })), 4)
    assert.equal(countToRelease(share({ own: 8, others: peers(2) })), 3)
    assert.equal(countToRelease(share({ own: 3, others: peers(3, 0) })), 1)
  })
  test('nothing, if the difference is small', () => {
    assert.equal(countToRelease(share({ own: 6, others: peers(4) })), 0)
    assert.equal(countToRelease(share({ own: 102, others: peers(98) })), 0)
  })
  test('nothing while an instance has no node, or a node has just started', () => {
    assert.equal(countToRelease(share({ own: 100, untaken: 1, others: peers(0) })), 0)
    assert.equal(countToRelease(share({ own: 100, others: [{ instances: 0, ageMs: 1000 }] })), 0)
    assert.equal(countToRelease(share({ own: 100, others: peers(0), ageMs: 1000 })), 0)
    assert.equal(countToRelease(share({ own: 100, others: peers(0), unchangedForMs: 1000 })), 0)
  })
})

test('nodes that follow the rule come to rest, with everything served and shares that differ little', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(200), { minLength: 1, maxLength: 12 }),
      fc.nat(300),
      (counts, initiallyUntaken) => {
        let untaken = initiallyUntaken
        const view = (index: number): Share =>
          share({
            own: counts[index] as number,
            untaken,
            others: peers(...counts.filter((_count, other) => other !== index)),
          })
        for (let round = 0; round < 2000; round += 1) {
          for (const index of counts.keys()) {
            const taken = Math.min(countToTake(view(index)), untaken)
            untaken -= taken
            const released = countToRelease({ ...view(index), own: (counts[index] as number) + taken })
            untaken += released
            counts[index] = (counts[index] as number) + taken - released
          }
        }
        assert.equal(untaken, 0)
        const fair = fairShare(view(0))
        const difference = Math.max(...counts) - Math.min(...counts)
        assert.ok(difference <= maxDifference(fair) || Math.max(...counts) <= fair, String(counts))
      },
    ),
    { numRuns: 60 },
  )
})
