import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTurns } from './turns.ts'

const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

test('at most so many have a turn at once, the rest follow in the order they came', async () => {
  const takeTurn = createTurns(2)
  const begun: number[] = []
  const leaves: (() => void)[] = []
  for (let index = 0; index < 5; index += 1) {
    void takeTurn().then((leave) => {
      begun.push(index)
      leaves.push(leave)
    })
  }
  await settle()
  assert.deepEqual(begun, [0, 1])
  leaves[1]?.()
  await settle()
  assert.deepEqual(begun, [0, 1, 2])
  for (const leave of leaves) leave()
  await settle()
  assert.deepEqual(begun, [0, 1, 2, 3, 4])
})

test('a turn that is given back twice frees one place, not two', async () => {
  const takeTurn = createTurns(1)
  const leave = await takeTurn()
  leave()
  leave()
  await takeTurn()
  let another = false
  void takeTurn().then(() => (another = true))
  await settle()
  assert.equal(another, false)
})
