import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Found, startWakeLoop, type Timers } from './wake-loop.ts'

const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Timers of the loop's own: other tests of this process may have some under way. */
function handMoved() {
  let now = 0
  const waiting = new Set<{ at: number; run: () => void }>()
  const timers: Timers = {
    setTimeout(run, ms) {
      const timer = { at: now + ms, run, unref: () => undefined }
      waiting.add(timer)
      return timer
    },
    clearTimeout: (timer) => void waiting.delete(timer as { at: number; run: () => void }),
  }
  return {
    timers,
    now: () => now,
    pass(ms: number): void {
      now += ms
      for (const timer of [...waiting].filter(({ at }) => at <= now)) {
        waiting.delete(timer)
        timer.run()
      }
    },
  }
}

/** A loop whose looks end when the test says so, on a clock that the test moves. */
function scripted({ restMs = 0, due }: { restMs?: number; due?: number }) {
  const time = handMoved()
  const looks: PromiseWithResolvers<Found>[] = []
  let asked = 0
  let answer: PromiseWithResolvers<number | undefined> | undefined
  const errors: unknown[] = []
  const loop = startWakeLoop({
    restMs,
    look() {
      const look = Promise.withResolvers<Found>()
      looks.push(look)
      return look.promise
    },
    nextDueAt: () => {
      asked += 1
      return answer?.promise ?? Promise.resolve(due)
    },
    clock: time.now,
    timers: time.timers,
    onError: (error) => errors.push(error),
  })
  return {
    loop,
    errors,
    looks: () => looks.length,
    asked: () => asked,
    /** The next question when work is due is answered when the test says so. */
    hesitate: () => (answer = Promise.withResolvers<number | undefined>()),
    decide: () => (answer = undefined),
    async end(found: Found): Promise<void> {
      looks.at(-1)?.resolve(found)
      await settle()
    },
    async fail(error: Error): Promise<void> {
      looks.at(-1)?.reject(error)
      await settle()
    },
    async pass(ms: number): Promise<void> {
      time.pass(ms)
      await settle()
    },
  }
}

describe('a loop that is woken', () => {
  test('looks at once, one look at a time; however often it is woken meanwhile, once more', async () => {
    const { loop, looks, end } = scripted({})
    assert.equal(looks(), 1)
    for (let count = 0; count < 3; count += 1) loop.wake()
    assert.equal(looks(), 1)
    await end('all')
    assert.equal(looks(), 2)
    await end('all')
    assert.equal(looks(), 2)
    loop.wake()
    assert.equal(looks(), 3)
  })

  test('looks again by itself while there is more', async () => {
    const { looks, end } = scripted({})
    await end('more')
    assert.equal(looks(), 2)
  })

  test('asks when the next work is due once it is quiet, and looks then', async () => {
    const { loop, looks, asked, end, pass } = scripted({ due: 1000 })
    for (let count = 0; count < 5; count += 1) {
      await end('all')
      loop.wake()
    }
    await end('all')
    assert.equal(asked(), 0)
    await pass(10)
    assert.equal(asked(), 1)
    const before = looks()
    await pass(989)
    assert.equal(looks(), before)
    await pass(1)
    assert.equal(looks(), before + 1)
  })

  test('an answer that was overtaken by another look does not put off what has become due since', async () => {
    const { loop, looks, end, pass, hesitate, decide } = scripted({ due: 1000 })
    await end('all')
    const late = hesitate()
    await pass(10)
    decide()
    loop.wake()
    await end('all')
    late.resolve(undefined)
    await pass(0)
    const before = looks()
    await pass(10)
    await pass(980)
    assert.equal(looks(), before + 1)
  })

  test('rests after it has found nothing, however often it is woken', async () => {
    const { loop, looks, end, pass } = scripted({ restMs: 50 })
    await end('nothing')
    for (let count = 0; count < 3; count += 1) loop.wake()
    await pass(49)
    assert.equal(looks(), 1)
    await pass(1)
    assert.equal(looks(), 2)
  })

  test('looks again some time after a look that failed', async () => {
    const { looks, errors, fail, pass } = scripted({})
    const error = new Error('the database is away')
    await fail(error)
    assert.deepEqual(errors, [error])
    assert.equal(looks(), 1)
    await pass(500)
    assert.equal(looks(), 2)
  })

  test('ends when the look that is under way has ended, and is woken no more', async () => {
    const { loop, looks, end, pass } = scripted({})
    let ended = false
    const stopped = loop.stop().then(() => (ended = true))
    await settle()
    assert.equal(ended, false)
    await end('more')
    await stopped
    loop.wake()
    await pass(60_000)
    assert.equal(looks(), 1)
  })
})
