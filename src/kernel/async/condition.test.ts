import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { manualTime } from '../../../test/support/manual-time.ts'
import { createCondition } from './waiting.ts'

describe('condition', () => {
  function start() {
    const time = manualTime()
    const condition = createCondition(time.now, time.timers)
    const state: { value: string | undefined } = { value: undefined }
    return { time, condition, state, wait: () => condition.waitFor(() => state.value, 1000) }
  }

  test('returns a value that is there already', async () => {
    const { state, wait, time } = start()
    state.value = 'ready'
    assert.deepEqual([await wait(), time.nextInMs()], ['ready', undefined])
  })

  test('wakes every waiter when the value comes, and leaves no timer behind', async () => {
    const { condition, state, wait, time } = start()
    const waiting = [wait(), wait()]
    state.value = 'ready'
    condition.notify()
    assert.deepEqual(await Promise.all(waiting), ['ready', 'ready'])
    assert.equal(time.nextInMs(), undefined)
  })

  test('keeps waiting when it is notified without a value, and gives up at the deadline', async () => {
    const { condition, wait, time } = start()
    const waiting = wait()
    await time.advance(400)
    condition.notify()
    await time.advance(0)
    assert.equal(time.nextInMs(), 600)
    await time.advance(600)
    assert.equal(await waiting, undefined)
  })
})
