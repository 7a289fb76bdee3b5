import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manualTime } from '../../../test/support/manual-time.ts'
import { settledWithin } from './waiting.ts'

for (const [what, work] of [
  ['succeeds', () => Promise.resolve()],
  ['fails', () => Promise.reject(new Error('no'))],
] as const) {
  test(`resolves when the work ${what}, and clears its timer`, async () => {
    const time = manualTime()
    await settledWithin(work(), 1000, time.timers)
    assert.equal(time.nextInMs(), undefined)
  })
}

test('resolves at the limit when the work does not end', async () => {
  const time = manualTime()
  let isOver = false
  const waiting = settledWithin(new Promise(() => undefined), 1000, time.timers).then(() => (isOver = true))
  await time.advance(999)
  assert.equal(isOver, false)
  await time.advance(1)
  await waiting
})
