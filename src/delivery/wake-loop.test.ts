import assert from 'node:assert/strict'
import { describe, mock, test } from 'node:test'
import { type Found, startWakeLoop } from './wake-loop.ts'

const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

/** A loop whose looks end when the test says so, on a clock that the test moves. */
function scripted(
  t: { after(end: () => void): void },
  { restMs = 0, due }: { restMs?: number; due?: number },
) {
  mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 0 })
  t.after(() => mock.timers.reset())
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
    clock: Date.now,
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
      mock.timers.tick(ms)
      await settle()
    },
  }
}

describe('a loop that is woken', () => {
  test('looks at once, one look at a time; however often it is woken meanwhile, once more', async (t) => {
    const { loop, looks, end } = scripted(t, {})
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

  test('looks again by itself while there is more', async (t) => {
    const { looks, end } = scripted(t, {})
    await end('more')
    assert.equal(looks(), 2)
  })

  test('asks when the next work is due once it is quiet, and looks then', async (t) => {
    const { loop, looks, asked, end, pass } = scripted(t, { due: 1000 })
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

  test('an answer that was overtaken by another look does not put off what has become due since', async (t) => {
    const { loop, looks, end, pass, hesitate, decide } = scripted(t, { due: 1000 })
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

  test('rests after it has found nothing, however often it is woken', async (t) => {
    const { loop, looks, end, pass } = scripted(t, { restMs: 50 })
    await end('nothing')
    for (let count = 0; count < 3; count += 1) loop.wake()
    await pass(49)
    assert.equal(looks(), 1)
    await pass(1)
    assert.equal(looks(), 2)
  })

  test('looks again some time after a look that failed', async (t) => {
    const { looks, errors, fail, pass } = scripted(t, {})
    const error = new Error('the database is away')
    await fail(error)
    assert.deepEqual(errors, [error])
    assert.equal(looks(), 1)
    await pass(500)
    assert.equal(looks(), 2)
  })

  test('ends when the look that is under way has ended, and is woken no more', async (t) => {
    const { loop, looks, end, pass } = scripted(t, {})
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
