import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ArrivingBodies, createArrivingBodies } from './bodies.ts'

const MB = 1024 * 1024
const LARGE = 23 * MB

const reasonOf = (work: () => unknown): string => {
  try {
    work()
    return 'accepted'
  } catch (error) {
    return (error as { reason: string }).reason
  }
}

const arrive = (bodies: ArrivingBodies, accountId: number, sizeBytes: number) => {
  const body = bodies.begin(accountId)
  const reason = reasonOf(() => body.add(sizeBytes))
  return { ...body, reason }
}

test('a body whose bytes have not arrived takes no memory, however many there are', () => {
  const bodies = createArrivingBodies()
  for (let count = 0; count < 1000; count += 1) bodies.begin(1).add(256 * 1024)
  assert.equal(bodies.heldBytes(), 0)
  assert.equal(arrive(bodies, 1, LARGE).reason, 'accepted')
})

test('the first 256 KiB of a body are free, and the rest counts once, in whatever pieces it arrives', () => {
  const bodies = createArrivingBodies()
  const body = bodies.begin(1)
  for (let piece = 0; piece < 4; piece += 1) body.add(100 * 1024)
  assert.equal(bodies.heldBytes(), 144 * 1024)
  body.end()
  body.end()
  assert.equal(bodies.heldBytes(), 0)
})

test('an account holds two of the largest bodies, and another account still gets its own', () => {
  const bodies = createArrivingBodies()
  const held = [arrive(bodies, 1, LARGE), arrive(bodies, 1, LARGE)]
  assert.deepEqual(
    held.map(({ reason }) => reason),
    ['accepted', 'accepted'],
  )
  assert.equal(arrive(bodies, 1, LARGE).reason, 'too_many_downloads')
  assert.equal(arrive(bodies, 2, LARGE).reason, 'accepted')
})

test('a body that is refused takes nothing, and what has ended is free again', () => {
  const bodies = createArrivingBodies()
  const held = [1, 1, 2, 2].map((account) => arrive(bodies, account, LARGE))
  const before = bodies.heldBytes()
  const refused = arrive(bodies, 3, LARGE)
  assert.equal(refused.reason, 'unavailable')
  assert.equal(bodies.heldBytes(), before)
  refused.end()
  held[0]?.end()
  assert.equal(arrive(bodies, 3, LARGE).reason, 'accepted')
})
