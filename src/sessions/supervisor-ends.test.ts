// A supervised session that the network refuses, or whose state the store does not save.

import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { type ManualTime, manualTime, promisesSettled } from '../../test/support/manual-time.ts'
import { scriptedNetwork, scriptedRecorder } from '../../test/support/scripted-network.ts'
import {
  BAD_SESSION_TRIES,
  REPLACED_FORGOTTEN_MS,
  REPLACED_PAUSE_MS,
} from '../instances/rules-close-outcomes.ts'
import type { CloseCause } from '../network/network.ts'
import { Supervisor } from './supervisor.ts'

const ACCOUNT = { number: '5511900000001', lid: null, name: null }

describe('a supervised session that is refused, or whose state is not saved', () => {
  let time: ManualTime
  let net: ReturnType<typeof scriptedNetwork>
  let written: ReturnType<typeof scriptedRecorder>
  let supervisor: Supervisor

  beforeEach(() => {
    time = manualTime(1_000_000)
    net = scriptedNetwork()
    written = scriptedRecorder(time)
    supervisor = new Supervisor({
      network: net.network,
      recorder: written.recorder,
      states: written.states,
      acquireSlot: async () => () => undefined,
      clock: time.now,
      timers: time.timers,
      random: () => 1,
    })
  })

  const pass = (ms: number) => time.advance(ms)
  const start = async () => {
    void supervisor.start()
    await promisesSettled()
  }
  const open = async () => {
    void net.last.emit({ kind: 'opened', account: ACCOUNT })
    await promisesSettled()
  }
  const close = async (cause: CloseCause, until: number | null = null) => {
    void net.last.close(cause, until)
    await promisesSettled()
  }

  test('replaced: one more attempt after five minutes, and none after a second replacement', async () => {
    await start()
    await open()
    await close('replaced')
    const until = time.now() + REPLACED_PAUSE_MS
    assert.deepEqual(written.wanted.at(-1), { event: 'replaced', until })
    await pass(REPLACED_PAUSE_MS - 1)
    assert.equal(net.connections.length, 1)
    await pass(1)
    assert.equal(net.connections.length, 2)
    await open()
    await pass(REPLACED_FORGOTTEN_MS - 1)
    await close('replaced')
    assert.deepEqual(written.wanted.at(-1), { event: 'replaced', until: null })
    await pass(24 * 3_600_000)
    assert.equal(net.connections.length, 2)
    assert.deepEqual(written.moves, ['started', 'opened', 'replaced', 'started', 'opened', 'replaced'])
  })

  test('replaced: an attempt planned by an earlier process is made at its time, and is the last one', async () => {
    await supervisor.resume({ reason: 'replaced', until: time.now() + 60_000 })
    await pass(59_999)
    assert.equal(net.connections.length, 0)
    await pass(1)
    assert.equal(net.connections.length, 1)
    await close('replaced')
    assert.deepEqual(written.wanted.at(-1), { event: 'replaced', until: null })
    assert.equal(supervisor.isIdle(), true)
  })

  test('temporarily banned: it reconnects at the end of the ban', async () => {
    await start()
    const until = time.now() + 40 * 24 * 3_600_000
    await close('temporarily_banned', until)
    assert.deepEqual(written.wanted.at(-1), { event: 'banned', until })
    await pass(until - time.now() - 1)
    assert.equal(net.connections.length, 1)
    await pass(1)
    assert.equal(net.connections.length, 2)
    await open()
    assert.deepEqual(written.moves, ['started', 'banned', 'started', 'opened'])
  })

  test('bad session: a few attempts with long pauses, and the login is kept', async () => {
    await start()
    for (let tries = 0; tries < BAD_SESSION_TRIES; tries += 1) {
      await close('bad_session')
      assert.equal(written.moves.at(-1), 'connection_lost')
      await pass(time.nextInMs() ?? 0)
      assert.equal(net.connections.length, tries + 2)
    }
    await close('bad_session')
    assert.equal(written.moves.at(-1), 'refused')
    await pass(24 * 3_600_000)
    assert.equal(net.connections.length, BAD_SESSION_TRIES + 1)
    assert.ok(!written.moves.includes('login_gone'))
  })

  test('an opening that cannot be saved is saved later, and waiting messages are processed only then', async () => {
    await start()
    written.failure = new Error('disk full')
    await open()
    assert.deepEqual([supervisor.isOpen(), written.moves.at(-1), written.taken], [true, 'started', []])
    written.failure = undefined
    await pass(250)
    assert.deepEqual([written.moves.at(-1), written.taken], ['opened', [net.last.session]])
    assert.ok(written.logs.some((message) => message.includes('disk full')))
  })

  test('states that cannot be saved are reduced to the latest one, which is saved later', async () => {
    await start()
    written.failure = new Error('locked')
    await open()
    await close('lost')
    await pass(1000)
    await close('client_outdated')
    written.failure = undefined
    await pass(10_000)
    assert.deepEqual(written.moves, ['started', 'outdated'])
  })

  test('a new pairing waits until the login that the network ended is destroyed', async () => {
    await start()
    await open()
    written.failure = new Error('locked')
    await close('logged_out')
    await start()
    assert.equal(net.connections.length, 1)
    written.failure = undefined
    await pass(10_000)
    assert.equal(net.connections.length, 2)
    assert.deepEqual(written.moves, ['started', 'opened', 'login_gone'])
  })
})
