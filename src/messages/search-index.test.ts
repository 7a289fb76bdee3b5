// The worker indexes messages behind the traffic: soon after a commit, what is stored already with rests, and again after an error.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { manualTime } from '../../test/support/manual-time.ts'
import type { Store } from '../store/store.ts'
import { createSearchIndex } from './search-index.ts'

/** A function: a commit comes meanwhile. */
type Result = (() => number) | number | 'unsettled' | Error

function begin(results: Result[], isLead = () => true) {
  const time = manualTime()
  const runs: number[] = []
  const warnings: string[] = []
  let commit = () => undefined as void
  const store = {
    onEvents(listener: () => void) {
      commit = listener
      return () => (commit = () => undefined)
    },
  } as unknown as Store
  const worker = createSearchIndex({
    store,
    async index() {
      runs.push(time.now())
      const result = results.shift() ?? 0
      if (result instanceof Error) throw result
      if (typeof result === 'function') {
        commit()
        return result()
      }
      return result === 'unsettled' ? undefined : result
    },
    log: { warn: (_fields, message) => void warnings.push(message) },
    isLead,
    elapsed: () => runs.length * 10,
    timers: time.timers,
  })
  worker.start()
  return { time, runs, warnings, worker, commit: () => commit() }
}

describe('the worker of the search', () => {
  test('what is stored already is indexed in batches, with a rest after each', async () => {
    const { time, runs } = begin([200, 200, 30, 0])
    await time.advance(500)
    await time.advance(10)
    await time.advance(10)
    assert.deepEqual(runs, [500, 510, 520])
    await time.advance(500)
    assert.deepEqual(runs, [500, 510, 520, 1020])
  })

  test('beside other commits it rests longer', async () => {
    const { time, runs } = begin([() => 200, 0])
    await time.advance(500)
    await time.advance(299)
    assert.deepEqual(runs, [500])
    await time.advance(1)
    assert.deepEqual(runs, [500, 800])
  })

  test('a commit wakes it once for all that follow', async () => {
    const { time, runs, commit } = begin([0, 3, 0])
    await time.advance(500)
    await time.advance(1000)
    for (let count = 0; count < 5; count += 1) commit()
    await time.advance(499)
    assert.equal(runs.length, 1)
    await time.advance(1)
    assert.deepEqual(runs, [500, 2000])
  })

  test('rows that are not settled are tried again soon, and an error later', async () => {
    const { time, runs, warnings } = begin(['unsettled', new Error('no'), 0])
    await time.advance(500)
    await time.advance(500)
    assert.deepEqual([runs, warnings.length], [[500, 1000], 1])
    await time.advance(5000)
    assert.deepEqual(runs, [500, 1000, 6000])
  })

  test('another node indexes, until this one leads; nothing runs after the stop', async () => {
    let leads = false
    const { time, runs, worker } = begin([], () => leads)
    await time.advance(6000)
    assert.deepEqual(runs, [])
    leads = true
    await time.advance(5000)
    assert.equal(runs.length, 1)
    await worker.stop()
    await time.advance(20_000)
    assert.equal(runs.length, 1)
  })
})
