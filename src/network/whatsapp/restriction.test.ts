import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { describe, test } from 'node:test'
import type { ReachoutTimelockState } from 'baileys'
import { createStandings } from './restriction.ts'

/** As the library has it: an answer is told as news, then handed over. */
function openStandings(answer: Partial<ReachoutTimelockState>) {
  const ev = new EventEmitter()
  const told: (number | null)[] = []
  const say = (standing: Partial<ReachoutTimelockState>) =>
    ev.emit('connection.update', { reachoutTimeLock: standing })
  const socket = {
    ev,
    async fetchAccountReachoutTimelock() {
      say(answer)
      return answer
    },
  } as unknown as Parameters<typeof createStandings>[0]
  const { restrictedUntil } = createStandings(socket, (until) => void told.push(until))
  return { restrictedUntil, say, told, settled: () => new Promise((resolve) => setImmediate(resolve)) }
}

const END = new Date(Date.now() + 600_000)

describe('the standing of an account at the network', () => {
  test('what is asked is answered, and not told as news', async () => {
    const { restrictedUntil, told, settled } = openStandings({ isActive: true, timeEnforcementEnds: END })
    assert.equal(await restrictedUntil(), END.getTime())
    await settled()
    assert.deepEqual(told, [])
  })

  test('what the network says by itself is told, also while an answer is on its way', async () => {
    const { restrictedUntil, say, told, settled } = openStandings({ isActive: false })
    const asked = restrictedUntil()
    say({ isActive: true, timeEnforcementEnds: END })
    assert.equal(await asked, null)
    await settled()
    assert.deepEqual(told, [END.getTime()])
    say({ isActive: false })
    await settled()
    assert.deepEqual(told, [END.getTime(), null])
  })

  test('an end that is not given, or has passed, is a minute from now', async () => {
    for (const end of [{}, { timeEnforcementEnds: new Date(0) }]) {
      const from = Date.now()
      const until = await openStandings({ isActive: true, ...end }).restrictedUntil()
      assert.ok(until !== null && until >= from + 60_000 && until <= Date.now() + 60_000)
    }
  })
})
