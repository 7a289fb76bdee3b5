import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { promisesSettled } from '../../../test/support/manual-time.ts'
import { coalesce } from './coalesce.ts'

/** Work whose runs end when the test says so. */
function steppedWork() {
  const runs: PromiseWithResolvers<number>[] = []
  const call = coalesce(() => {
    const run = Promise.withResolvers<number>()
    runs.push(run)
    return run.promise
  })
  return { runs, call }
}

describe('coalesce', () => {
  test('calls during a run share the next run', async () => {
    const { runs, call } = steppedWork()
    const first = call()
    assert.equal(runs.length, 1, 'the first call starts the work at once')
    const shared = [call(), call()]
    await promisesSettled()
    assert.equal(runs.length, 1)
    runs[0]?.resolve(1)
    assert.equal(await first, 1)
    await promisesSettled()
    assert.equal(runs.length, 2)
    const third = call()
    runs[1]?.resolve(2)
    assert.deepEqual(await Promise.all(shared), [2, 2])
    await promisesSettled()
    runs[2]?.resolve(3)
    assert.equal(await third, 3)
    await promisesSettled()
    assert.equal(runs.length, 3, 'nothing is repeated without a call')
  })

  test('a failed run fails its own callers; the next one starts', async () => {
    const { runs, call } = steppedWork()
    const [first, second] = [call(), call()]
    runs[0]?.reject(new Error('no'))
    await assert.rejects(first, /^Error: no$/)
    await promisesSettled()
    runs[1]?.resolve(2)
    assert.equal(await second, 2)
  })

  test('whenever calls come and runs end: one run at a time, and each call gets a run that started after it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom('call', 'end', 'tick'), { maxLength: 30 }), async (steps) => {
        const { runs, call } = steppedWork()
        const waiting: { result: Promise<number>; startedBefore: number }[] = []
        let ended = 0
        const endNext = () => runs[ended]?.resolve(ended++)
        for (const step of steps) {
          if (step === 'call') waiting.push({ startedBefore: runs.length, result: call() })
          else if (step === 'end') endNext()
          else await Promise.resolve()
          assert.ok(runs.length - ended <= 1, 'one run at a time')
        }
        while (ended < runs.length || (await promisesSettled(), ended < runs.length)) endNext()
        for (const { result, startedBefore } of waiting) {
          assert.ok((await result) >= startedBefore, 'the run started after the call')
        }
      }),
    )
  })
})
