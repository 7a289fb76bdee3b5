import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { manualTime, promisesSettled } from '../../../test/support/manual-time.ts'
import { type Found, startWakeLoop } from './wake-loop.ts'

interface Scripted {
  idlePauseMs?: number
  due?: number
  maxSleepMs?: () => number
}

/** A loop whose polls end when the test says so, on a clock that the test moves. */
function scripted({ idlePauseMs = 0, due, maxSleepMs }: Scripted) {
  const time = manualTime()
  const polls: PromiseWithResolvers<Found>[] = []
  let dueQueries = 0
  let answer: PromiseWithResolvers<number | undefined> | undefined
  const errors: unknown[] = []
  const loop = startWakeLoop({
    idlePauseMs,
    maxSleepMs,
    poll() {
      const pending = Promise.withResolvers<Found>()
      polls.push(pending)
      return pending.promise
    },
    nextDueAt: () => {
      dueQueries += 1
      return answer?.promise ?? Promise.resolve(due)
    },
    clock: time.now,
    timers: time.timers,
    onError: (error) => errors.push(error),
  })
  return {
    loop,
    errors,
    polls: () => polls.length,
    dueQueries: () => dueQueries,
    /** The next query of the due time is answered when the test says so. */
    holdDueQuery: () => (answer = Promise.withResolvers<number | undefined>()),
    releaseDueQueries: () => (answer = undefined),
    async end(found: Found): Promise<void> {
      polls.at(-1)?.resolve(found)
      await promisesSettled()
    },
    async fail(error: Error): Promise<void> {
      polls.at(-1)?.reject(error)
      await promisesSettled()
    },
    async pass(ms: number): Promise<void> {
      await time.advance(ms)
    },
  }
}

describe('wake loop', () => {
  test('sleeps no longer than it may, so that work of another process is found without a wake-up', async () => {
    let most = 1000
    const { polls, end, pass } = scripted({ maxSleepMs: () => most, due: 1_000_000 })
    await end('all')
    await pass(10 + 1000)
    assert.equal(polls(), 2)
    most = 5000
    await end('all')
    await pass(10 + 1000)
    assert.equal(polls(), 2)
    await pass(4000)
    assert.equal(polls(), 3)
  })
  test('polls at once, one poll at a time; any number of wakes during a poll cause one more', async () => {
    const { loop, polls, end } = scripted({})
    assert.equal(polls(), 1)
    for (let count = 0; count < 3; count += 1) loop.wake()
    assert.equal(polls(), 1)
    await end('all')
    assert.equal(polls(), 2)
    await end('all')
    assert.equal(polls(), 2)
    loop.wake()
    assert.equal(polls(), 3)
  })

  test('polls again while there is more', async () => {
    const { polls, end } = scripted({})
    await end('more')
    assert.equal(polls(), 2)
  })

  test('queries the due time once no wake follows, and polls at that time', async () => {
    const { loop, polls, dueQueries, end, pass } = scripted({ due: 1000 })
    for (let count = 0; count < 5; count += 1) {
      await end('all')
      loop.wake()
    }
    await end('all')
    assert.equal(dueQueries(), 0)
    await pass(10)
    assert.equal(dueQueries(), 1)
    const before = polls()
    await pass(989)
    assert.equal(polls(), before)
    await pass(1)
    assert.equal(polls(), before + 1)
  })

  test('a due time that was queried before another poll does not delay work that became due since', async () => {
    const { loop, polls, end, pass, holdDueQuery, releaseDueQueries } = scripted({ due: 1000 })
    await end('all')
    const late = holdDueQuery()
    await pass(10)
    releaseDueQueries()
    loop.wake()
    await end('all')
    late.resolve(undefined)
    await pass(0)
    const before = polls()
    await pass(10)
    await pass(980)
    assert.equal(polls(), before + 1)
  })

  test('pauses after a poll that found nothing, even when it is woken', async () => {
    const { loop, polls, end, pass } = scripted({ idlePauseMs: 50 })
    await end('nothing')
    for (let count = 0; count < 3; count += 1) loop.wake()
    await pass(49)
    assert.equal(polls(), 1)
    await pass(1)
    assert.equal(polls(), 2)
  })

  test('polls again some time after a failed poll', async () => {
    const { polls, errors, fail, pass } = scripted({})
    const error = new Error('the database is unavailable')
    await fail(error)
    assert.deepEqual(errors, [error])
    assert.equal(polls(), 1)
    await pass(500)
    assert.equal(polls(), 2)
  })

  test('stops when the running poll has ended, and ignores later wakes', async () => {
    const { loop, polls, end, pass } = scripted({})
    let ended = false
    const stopped = loop.stop().then(() => (ended = true))
    await promisesSettled()
    assert.equal(ended, false)
    await end('more')
    await stopped
    loop.wake()
    await pass(60_000)
    assert.equal(polls(), 1)
  })
})
