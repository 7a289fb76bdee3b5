import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manualTime } from '../../../test/support/manual-time.ts'
import { withTimeout } from './waiting.ts'

const unexpected = (): Error => assert.fail('no error is made before the limit')

test('settles as the work does, makes no error, and clears its timer', async () => {
  const time = manualTime()
  assert.equal(await withTimeout(Promise.resolve(1), 1000, unexpected, time.timers), 1)
  const failing = withTimeout(Promise.reject(new Error('no')), 1000, unexpected, time.timers)
  await assert.rejects(failing, /^Error: no$/)
  assert.equal(time.nextInMs(), undefined)
})

test('rejects at the limit; a later failure of the work is ignored', async () => {
  const time = manualTime()
  const work = Promise.withResolvers<void>()
  let error: unknown
  const limited = withTimeout(work.promise, 1000, () => new Error('too late'), time.timers)
  const caught = limited.catch((reason: unknown) => (error = reason))
  await time.advance(999)
  assert.equal(error, undefined)
  await time.advance(1)
  await caught
  assert.match(String(error), /too late/)
  work.reject(new Error('later'))
  await time.advance(1000)
})
