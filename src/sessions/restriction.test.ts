import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { type ManualTime, manualTime, promisesSettled } from '../../test/support/manual-time.ts'
import { scriptedNetwork, scriptedRecorder } from '../../test/support/scripted-network.ts'
import type { NetworkEvent } from '../network/network.ts'
import { Supervisor } from './supervisor.ts'

const ACCOUNT = { number: '5511900000001', lid: null, name: null }

describe('the restriction of an account', () => {
  let time: ManualTime
  let net: ReturnType<typeof scriptedNetwork>
  let written: ReturnType<typeof scriptedRecorder>

  const pass = (ms: number) => time.advance(ms)
  const happens = async (event: NetworkEvent) => {
    void net.last.emit(event)
    await promisesSettled()
  }
  const open = () => happens({ kind: 'opened', account: ACCOUNT })
  const report = (restrictedUntil: number | null) => happens({ kind: 'restriction', restrictedUntil })

  beforeEach(async () => {
    time = manualTime(1_000_000)
    net = scriptedNetwork()
    written = scriptedRecorder(time)
    const { network } = net
    const { recorder, states } = written
    const acquireSlot = async () => () => undefined
    void new Supervisor({
      network,
      recorder,
      states,
      acquireSlot,
      clock: time.now,
      timers: time.timers,
      random: () => 1,
    }).start()
    await promisesSettled()
    await open()
  })

  test('a reported restriction applies until its end is reported, and each change is saved once', async () => {
    await report(null)
    await report(time.now() + 60_000)
    await report(null)
    await report(null)
    assert.deepEqual(written.moves, ['started', 'opened', 'restricted', 'unrestricted'])
  })

  test('the network is queried at the end of a restriction, and may have extended it', async () => {
    const endsAt = time.now() + 60_000
    net.restriction = async () => endsAt + 60_000
    await report(endsAt)
    await pass(60_000)
    assert.equal(written.moves.at(-1), 'restricted')
    net.restriction = async () => null
    await pass(59_999)
    assert.equal(written.moves.at(-1), 'restricted')
    await pass(1)
    assert.equal(written.moves.at(-1), 'unrestricted')
  })

  test('the restriction ends as reported if the network does not answer then', async () => {
    net.restriction = async () => {
      throw new Error('no answer')
    }
    await report(time.now() + 60_000)
    await pass(60_000)
    assert.equal(written.moves.at(-1), 'unrestricted')
  })

  test('an end beyond the longest timer delay is not treated as now', async () => {
    const endsAt = time.now() + 2 ** 32
    net.restriction = async () => endsAt
    await report(endsAt)
    await pass(2 ** 31)
    assert.equal(written.moves.at(-1), 'restricted')
    net.restriction = async () => null
    await pass(2 ** 31)
    assert.equal(written.moves.at(-1), 'unrestricted')
  })

  test('an answer that is older than a report is ignored', async () => {
    const requested = Promise.withResolvers<null>()
    net.restriction = () => requested.promise
    await net.last.close('lost')
    await promisesSettled()
    await pass(1000)
    await open()
    await report(time.now() + 600_000)
    requested.resolve(null)
    await promisesSettled()
    assert.deepEqual(written.moves.slice(-2), ['opened', 'restricted'])
  })

  test('the restriction is asked for again after a reconnect', async () => {
    net.restriction = async () => time.now() + 600_000
    await report(time.now() + 600_000)
    await net.last.close('lost')
    await promisesSettled()
    await pass(1000)
    await open()
    assert.deepEqual(written.moves.slice(-2), ['opened', 'restricted'])
  })
})
