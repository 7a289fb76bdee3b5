import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { NodeAnswer } from './calls.ts'
import { createCallMemory } from './node-server.ts'

/** Counts how often it was carried out. */
function counted(answer: NodeAnswer = { status: 'done', result: null }) {
  const calls = { count: 0 }
  const carryOut = async () => {
    calls.count += 1
    return answer
  }
  return { calls, carryOut }
}

test('a call that arrives again is not carried out again, neither while it runs nor afterwards', async () => {
  const memory = createCallMemory(() => 0)
  const running = Promise.withResolvers<NodeAnswer>()
  const first = memory.once('a', () => running.promise)
  const { calls, carryOut } = counted()
  const second = memory.once('a', carryOut)
  running.resolve({ status: 'done', result: 'group 1' })
  const expected = { status: 'done', result: 'group 1' }
  assert.deepEqual(await Promise.all([first, second, memory.once('a', carryOut)]), [
    expected,
    expected,
    expected,
  ])
  assert.equal(calls.count, 0)
})

test('a call that was not carried out here is carried out when it arrives again', async () => {
  const memory = createCallMemory(() => 0)
  await memory.once('a', counted({ status: 'misdirected', nodeId: 1 }).carryOut)
  const { calls, carryOut } = counted()
  await memory.once('a', carryOut)
  assert.equal(calls.count, 1)
})

test('beyond the limit a new call is refused, and known ones keep their answer until it is not needed', async () => {
  let time = 0
  const memory = createCallMemory(() => time, 1)
  const { calls, carryOut } = counted()
  await memory.once('a', carryOut)
  assert.deepEqual(await memory.once('b', carryOut), { status: 'busy' })
  assert.deepEqual(await memory.once('a', carryOut), { status: 'done', result: null })
  assert.equal(calls.count, 1)
  time = 120_000
  assert.deepEqual(await memory.once('b', carryOut), { status: 'done', result: null })
})
