import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { chooseLanes, takeRun, type WaitingMessage } from './lane-run.ts'

const lane = (key: string, dueAt: number) => ({ key, dueAt })
const keys = (lanes: { key: string }[]) => lanes.map(({ key }) => key).join('')

describe('choosing lanes', () => {
  test('the longest due comes first; lanes due at the same time are ordered by key', () => {
    const instances = [
      { locked: 0, due: [lane('d', 4), lane('b', 2)] },
      { locked: 0, due: [lane('c', 2), lane('a', 1)] },
    ]
    assert.equal(keys(chooseLanes(instances, { limit: 10, perInstance: 10 })), 'abcd')
    assert.equal(keys(chooseLanes(instances, { limit: 2, perInstance: 10 })), 'ab')
  })

  test('an instance has at most this many lanes locked, those that are locked already included', () => {
    const due = [lane('a', 1), lane('b', 2), lane('c', 3)]
    const choose = (locked: number) => keys(chooseLanes([{ locked, due }], { limit: 10, perInstance: 2 }))
    assert.deepEqual([choose(0), choose(1), choose(2), choose(3)], ['ab', 'a', '', ''])
  })

  test('an instance at its limit takes no slot from another', () => {
    const busy = { locked: 2, due: [lane('a', 1), lane('b', 1)] }
    const other = { locked: 0, due: [lane('z', 9)] }
    assert.equal(keys(chooseLanes([busy, other], { limit: 1, perInstance: 2 })), 'z')
  })
})

describe('the run of a lane', () => {
  const message = (status: WaitingMessage['status'], delayMs = 0) => ({ status, delayMs })
  const [plain, typed, tried] = [message('queued'), message('queued', 3000), message('sending')]

  test('it is every message that can be sent without a pause', () => {
    assert.deepEqual(takeRun([plain, plain, plain]), [plain, plain, plain])
    assert.deepEqual(takeRun([]), [])
  })

  test('it ends before a message with a typing delay and before one that was tried before', () => {
    assert.deepEqual(takeRun([plain, plain, typed, plain]), [plain, plain])
    assert.deepEqual(takeRun([plain, tried, plain]), [plain])
  })

  test('a message with a typing delay, or one that is tried again, is claimed alone', () => {
    assert.deepEqual(takeRun([typed, plain]), [typed])
    assert.deepEqual(takeRun([tried, plain]), [tried])
  })
})
