import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { describe, test } from 'node:test'
import type { ReachoutTimelockState } from '../library/protocol.ts'
import { createRestrictionLookup } from './restriction.ts'

/** Like the library: an answer is emitted as an event, then returned. */
function openLookup(answer: Partial<ReachoutTimelockState>) {
  const ev = new EventEmitter()
  const reported: (number | null)[] = []
  const notify = (lock: Partial<ReachoutTimelockState>) =>
    ev.emit('connection.update', { reachoutTimeLock: lock })
  const socket = {
    onEvent: (event: string, listener: () => void) => ev.on(event, listener),
    async fetchAccountReachoutTimelock() {
      notify(answer)
      return answer
    },
  } as unknown as Parameters<typeof createRestrictionLookup>[0]
  const { restrictedUntil } = createRestrictionLookup(socket, (until) => void reported.push(until))
  return { restrictedUntil, notify, reported, settled: () => new Promise((resolve) => setImmediate(resolve)) }
}

/** In the future for as long as the process of the tests runs. */
const END = new Date(Date.now() + 24 * 3_600_000)

describe('the restriction of an account at the network', () => {
  test('an answer is returned, and not reported', async () => {
    const { restrictedUntil, reported, settled } = openLookup({ isActive: true, timeEnforcementEnds: END })
    assert.equal(await restrictedUntil(), END.getTime())
    await settled()
    assert.deepEqual(reported, [])
  })

  test('a report of the network is reported, also while an answer is pending', async () => {
    const { restrictedUntil, notify, reported, settled } = openLookup({ isActive: false })
    const requested = restrictedUntil()
    notify({ isActive: true, timeEnforcementEnds: END })
    assert.equal(await requested, null)
    await settled()
    assert.deepEqual(reported, [END.getTime()])
    notify({ isActive: false })
    await settled()
    assert.deepEqual(reported, [END.getTime(), null])
  })

  test('a missing or past end is a minute from now', async () => {
    for (const end of [{}, { timeEnforcementEnds: new Date(0) }]) {
      const from = Date.now()
      const until = await openLookup({ isActive: true, ...end }).restrictedUntil()
      assert.ok(until !== null && until >= from + 60_000 && until <= Date.now() + 60_000)
    }
  })
})
