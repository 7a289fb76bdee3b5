import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createCountLog } from './count-log.ts'
import type { CountDelta, Occurrence } from './rules-counted.ts'

const HOUR_MS = 3_600_000
const sent = (change: Partial<Occurrence> = {}): Occurrence => ({
  instanceId: 1,
  at: HOUR_MS + 5,
  metric: 'sent',
  ...change,
})

function logWith(write: (deltas: readonly CountDelta[]) => Promise<void>) {
  const errors: unknown[] = []
  const log = createCountLog({ write, sample: async () => undefined, onError: (error) => errors.push(error) })
  return { log, errors }
}

describe('the log of counts', () => {
  test('occurrences of one hour are written once, as their sum', async () => {
    const written: CountDelta[][] = []
    const { log } = logWith(async (deltas) => void written.push([...deltas]))
    for (const change of [{}, { at: HOUR_MS + 9 }, { at: 2 * HOUR_MS }, { label: 'x', count: 4 }])
      log.count(sent(change))
    await log.flush()
    const row = { instance_id: 1, metric: 'sent', label: '' }
    assert.deepEqual(written, [
      [
        { ...row, hour: HOUR_MS, count: 2 },
        { ...row, hour: 2 * HOUR_MS, count: 1 },
        { ...row, hour: HOUR_MS, label: 'x', count: 4 },
      ],
    ])
    await log.stop()
    assert.equal(written.length, 1)
  })

  test('entries that could not be written are written later, together with newer ones', async () => {
    const written: (readonly CountDelta[])[] = []
    let isDown = true
    const { log, errors } = logWith(async (deltas) => {
      if (isDown) throw new Error('unavailable')
      written.push(deltas)
    })
    log.count(sent())
    await log.flush()
    assert.equal(errors.length, 1)
    isDown = false
    log.count(sent({ count: 2 }))
    await log.stop()
    assert.deepEqual(
      written.map((deltas) => deltas.map(({ count }) => count)),
      [[3]],
    )
  })
})
