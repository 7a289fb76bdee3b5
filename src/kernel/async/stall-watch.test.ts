import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { manualTime } from '../../../test/support/manual-time.ts'
import { createStallWatch } from './stall-watch.ts'

function watched() {
  const time = manualTime()
  const stalledAt: number[] = []
  const onStall = () => void stalledAt.push(time.now())
  const watch = createStallWatch({ limitMs: 1000, onStall, clock: time.now, timers: time.timers })
  return { time, stalledAt, watch }
}
const endless = (): Promise<never> => new Promise(() => undefined)

describe('stall watch', () => {
  test('reports each work at its own limit, once', async () => {
    const { time, stalledAt, watch } = watched()
    watch(endless())
    await time.advance(300)
    watch(endless())
    await time.advance(5000)
    assert.deepEqual(stalledAt, [1000, 1300])
    watch(endless())
    await time.advance(5000)
    assert.deepEqual(stalledAt, [1000, 1300, 6300])
  })

  test('work that succeeds or fails within the limit is not reported, however long there is some', async () => {
    const { time, stalledAt, watch } = watched()
    for (let round = 0; round < 20; round += 1) {
      const [one, other] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      watch(one.promise)
      await time.advance(400)
      watch(other.promise)
      await time.advance(400)
      one.resolve()
      other.reject(new Error('no'))
      await assert.rejects(other.promise)
    }
    await time.advance(5000)
    assert.deepEqual(stalledAt, [])
    assert.equal(time.nextInMs(), undefined, 'no timer is left')
  })
})
