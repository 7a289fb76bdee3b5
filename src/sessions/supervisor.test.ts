import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { type ManualTime, manualTime, promisesSettled } from '../../test/support/manual-time.ts'
import { type Connection, scriptedNetwork, scriptedRecorder } from '../../test/support/scripted-network.ts'
import { OUTDATED_PAUSE_MS, STABLE_MS } from '../instances/rules-close-outcomes.ts'
import type { CloseCause, NetworkError, NetworkEvent } from '../network/network.ts'
import { CONNECT_MS, Supervisor } from './supervisor.ts'

const ACCOUNT = { number: '5511900000001', lid: null, name: null }

describe('a supervised session', () => {
  let time: ManualTime
  let net: ReturnType<typeof scriptedNetwork>
  let written: ReturnType<typeof scriptedRecorder>
  let slots: { acquired: number; released: number }
  let supervisor: Supervisor

  beforeEach(() => {
    time = manualTime(1_000_000)
    net = scriptedNetwork()
    written = scriptedRecorder(time)
    slots = { acquired: 0, released: 0 }
    supervisor = newSupervisor()
  })

  const newSupervisor = () =>
    new Supervisor({
      network: net.network,
      recorder: written.recorder,
      states: written.states,
      async acquireSlot() {
        slots.acquired += 1
        let isReleased = false
        return () => {
          if (!isReleased) slots.released += 1
          isReleased = true
        }
      },
      clock: time.now,
      timers: time.timers,
      random: () => 1,
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
  const showCode = async (code = 'code-1', livesMs = 60_000) => {
    void net.last.emit({ kind: 'qr', code, expiresAt: time.now() + livesMs })
    await promisesSettled()
  }
  const close = async (cause: CloseCause) => {
    void net.last.close(cause)
    await promisesSettled()
  }

  test('connects, opens, processes waiting messages, and releases its handshake slot', async () => {
    await start()
    assert.throws(() => supervisor.openSession(), { kind: 'unavailable' })
    await open()
    assert.equal(supervisor.openSession(), net.last.session)
    assert.deepEqual(written.moves, ['started', 'opened'])
    assert.deepEqual(written.taken, [net.last.session])
    assert.deepEqual(slots, { acquired: 1, released: 1 })
  })

  test('reconnects at once after pairing', async () => {
    await start()
    await showCode()
    await close('restart')
    assert.equal(net.connections.length, 2)
    await open()
    assert.deepEqual(written.moves, ['started', 'code_shown', 'started', 'opened'])
  })

  test('a restart that the network requests of an open session is made with a pause', async () => {
    await start()
    await open()
    await close('restart')
    assert.equal(net.connections.length, 1)
    await pass(1000)
    assert.equal(net.connections.length, 2)
  })

  const ends: [cause: CloseCause, move: string][] = [
    ['code_expired', 'code_expired'],
    ['logged_out', 'login_gone'],
  ]
  for (const [cause, move] of ends) {
    test(`${cause}: records the state and does not reconnect`, async () => {
      await start()
      await open()
      await close(cause)
      assert.equal(written.moves.at(-1), move)
      await pass(24 * 3_600_000)
      assert.equal(net.connections.length, 1)
      assert.throws(() => supervisor.openSession(), { kind: 'unavailable' })
      assert.equal(supervisor.isConnecting(), false)
    })
  }

  test('client_outdated: records the state, and connects again after ten minutes at the latest', async () => {
    await start()
    await open()
    for (const attempts of [1, 2]) {
      await close('client_outdated')
      assert.equal(written.moves.at(-1), 'outdated')
      assert.equal(net.connections.length, attempts)
      await pass(OUTDATED_PAUSE_MS)
      assert.equal(net.connections.length, attempts + 1)
      assert.equal(written.moves.at(-1), 'started')
    }
  })

  test('version_renewed: connects again after a second, in the state of a new connection', async () => {
    await start()
    await close('version_renewed')
    assert.equal(net.connections.length, 1)
    await pass(1000)
    assert.equal(net.connections.length, 2)
    assert.deepEqual(written.moves, ['started'])
  })

  test('lost: retried without end, with pauses of up to five minutes, in the same state', async () => {
    await start()
    let pauseMs = 1000
    for (let tries = 1; tries <= 50; tries += 1, pauseMs = Math.min(300_000, pauseMs * 2)) {
      await close('lost')
      assert.equal(written.moves.at(-1), 'connection_lost')
      await pass(pauseMs - 1)
      assert.equal(net.connections.length, tries, `not before ${pauseMs} ms`)
      await pass(1)
      assert.equal(net.connections.length, tries + 1)
    }
    assert.deepEqual([slots.acquired, slots.released], [51, 50])
    await open()
    assert.deepEqual(written.moves, ['started', 'connection_lost', 'opened'])
  })

  test('only a stable connection resets the pauses', async () => {
    await start()
    await close('lost')
    await pass(1000)
    await open()
    await pass(STABLE_MS - 1)
    await close('lost')
    await pass(1999)
    assert.equal(net.connections.length, 2, 'the second pause is longer')
    await pass(1)
    await open()
    await pass(STABLE_MS)
    await close('lost')
    await pass(1000)
    assert.equal(net.connections.length, 4)
  })

  test('a failed connect() is retried like a loss', async () => {
    net.connecting = async () => {
      throw new Error('refused')
    }
    await start()
    assert.equal(written.moves.at(-1), 'connection_lost')
    assert.equal(slots.released, 1)
    net.connecting = async () => undefined
    await pass(1000)
    await open()
    assert.equal(supervisor.isOpen(), true)
  })

  test('a connection that neither shows a QR code nor opens in time is closed and retried', async () => {
    await start()
    await pass(CONNECT_MS)
    assert.equal(net.connections[0]?.isClosed, true)
    assert.equal(written.moves.at(-1), 'connection_lost')
    await pass(1000)
    assert.equal(net.connections.length, 2)
    assert.equal(net.mostAtOnce, 1)
  })

  test('a connect() that does not return in time releases its slot, and is closed if it returns later', async () => {
    const answer = Promise.withResolvers<void>()
    net.connecting = () => answer.promise
    await start()
    await pass(CONNECT_MS)
    assert.equal(slots.released, 1)
    assert.equal(written.moves.at(-1), 'connection_lost')
    await pass(1000)
    assert.equal(net.connections.length, 1, 'never two at once')
    net.connecting = async () => undefined
    answer.resolve()
    await promisesSettled()
    assert.equal(net.connections[0]?.isClosed, true)
    assert.equal(net.connections.length, 2)
    assert.equal(net.mostAtOnce, 1)
  })

  test('a close before connect() has returned leaves no dead session', async () => {
    net.connecting = async (connection) => {
      void connection.emit({ kind: 'opened', account: ACCOUNT })
      void connection.close('lost')
    }
    await start()
    assert.throws(() => supervisor.openSession(), { kind: 'unavailable' })
    assert.equal(written.moves.at(-1), 'connection_lost')
    net.connecting = async () => undefined
    await pass(1000)
    await open()
    assert.equal(supervisor.openSession(), net.last.session)
  })

  test('an opened event before connect() has returned is handled once the session exists', async () => {
    const answer = Promise.withResolvers<void>()
    net.connecting = async (connection) => {
      void connection.emit({ kind: 'opened', account: ACCOUNT })
      await answer.promise
    }
    await start()
    assert.equal(supervisor.isOpen(), false)
    answer.resolve()
    await promisesSettled()
    assert.deepEqual([written.taken, written.logs], [[net.last.session], []])
  })

  test('events of an earlier connection: those about itself are ignored, those about messages are not', async () => {
    await start()
    await open()
    const [old] = net.connections as [Connection]
    await start()
    await open()
    const before = [...written.moves]
    await old.emit({ kind: 'closed', cause: 'logged_out' })
    await old.emit({ kind: 'opened', account: ACCOUNT })
    await old.emit({ kind: 'qr', code: 'old', expiresAt: Infinity })
    await promisesSettled()
    assert.deepEqual(written.moves, before)
    assert.equal(supervisor.openSession(), net.last.session)
    const receipt: NetworkEvent = {
      kind: 'receipt',
      messageIds: ['A'],
      status: 'read',
      atMs: 1,
      chat: ['1@s.whatsapp.net'],
      by: ['1@s.whatsapp.net'],
    }
    await old.emit(receipt)
    const arrived: NetworkEvent = { kind: 'arrived', name: 'x', payload: new Uint8Array() }
    await old.emit(arrived)
    assert.deepEqual(written.recorded, [
      { event: receipt, session: undefined },
      { event: arrived, session: undefined },
    ])
  })

  test('a restart waits for the old connection to close: there are never two connections', async () => {
    await start()
    await open()
    const closing = Promise.withResolvers<void>()
    net.closing = () => closing.promise
    await start()
    assert.equal(net.connections.length, 1)
    closing.resolve()
    await promisesSettled()
    assert.equal(net.connections.length, 2)
    assert.equal(net.mostAtOnce, 1)
  })

  test('a restart during a pause connects at once and resets the pauses', async () => {
    await start()
    for (const pauseMs of [1000, 2000, 4000]) {
      await close('lost')
      await pass(pauseMs)
    }
    await close('lost')
    assert.equal(supervisor.isConnecting(), false)
    await start()
    assert.equal(net.connections.length, 5)
    await close('lost')
    await pass(1000)
    assert.equal(net.connections.length, 6, 'the pauses start again')
    await pass(60_000)
    assert.equal(net.connections.filter(({ isClosed }) => !isClosed).length <= 1, true)
    assert.equal(net.mostAtOnce, 1)
  })

  test('stopped during connect(): the connection is closed, and no attempt follows', async () => {
    const answer = Promise.withResolvers<void>()
    net.connecting = () => answer.promise
    await start()
    const stopped = supervisor.stop()
    answer.resolve()
    await stopped
    assert.equal(net.last.isClosed, true)
    await pass(24 * 3_600_000)
    assert.equal(net.connections.length, 1)
    assert.deepEqual([slots.acquired, slots.released], [1, 1])
    assert.deepEqual(written.moves, ['started'], 'a stop saves no state: the login stays as it is')
  })

  test('stopped during a connect() that then fails: no attempt follows', async () => {
    const answer = Promise.withResolvers<void>()
    net.connecting = () => answer.promise
    await start()
    const stopped = supervisor.stop()
    answer.reject(new Error('refused'))
    await stopped
    await pass(24 * 3_600_000)
    assert.equal(net.connections.length, 1)
    assert.deepEqual(written.moves, ['started'])
  })

  test('stopped during a pause: no attempt follows', async () => {
    await start()
    await close('lost')
    await supervisor.stop()
    await pass(24 * 3_600_000)
    assert.equal(net.connections.length, 1)
  })

  test('logOut ends the login at the network if the session is open, and only closes otherwise', async () => {
    await start()
    await open()
    await supervisor.logOut()
    assert.equal(net.last.isLoggedOut, true)
    supervisor = newSupervisor()
    await start()
    await showCode()
    await supervisor.logOut()
    assert.deepEqual([net.last.isLoggedOut, net.last.isClosed], [false, true])
  })

  test('cannot be started again once logged out or stopped', async () => {
    for (const end of ['logOut', 'stop'] as const) {
      supervisor = newSupervisor()
      await start()
      await supervisor[end]()
      const { length } = net.connections
      await start()
      assert.equal(net.connections.length, length)
    }
  })

  test('code() returns a QR code when it is shown, and no expired one', async () => {
    await start()
    const waiting = supervisor.code(15_000)
    await showCode('code-1', 20_000)
    assert.equal((await waiting)?.code, 'code-1')
    await pass(20_000)
    const next = supervisor.code(15_000)
    await showCode('code-2')
    assert.equal((await next)?.code, 'code-2')
  })

  test('code() returns null after its wait, when the session opens, and when it has ended', async () => {
    await start()
    const late = supervisor.code(15_000)
    await pass(15_000)
    assert.equal(await late, null)
    const opening = supervisor.code(60_000)
    await open()
    assert.equal(await opening, null)
    await close('code_expired')
    assert.equal(await supervisor.code(60_000), null)
  })

  test('pairing() returns the session in pairing, null if it opens, and times out otherwise', async () => {
    await start()
    const pairing = supervisor.pairing(15_000)
    await showCode()
    assert.equal(await pairing, net.last.session)
    await start()
    const opening = supervisor.pairing(15_000)
    await open()
    assert.equal(await opening, null)
    await start()
    const late = supervisor.pairing(15_000)
    const refused = assert.rejects(late, (error: NetworkError) => error.kind === 'timeout')
    await pass(15_000)
    await refused
  })

  test('states are saved in the order of the events', async () => {
    await start()
    void net.last.emit({ kind: 'qr', code: 'a', expiresAt: Infinity })
    void net.last.close('restart')
    await promisesSettled()
    void net.last.emit({ kind: 'opened', account: ACCOUNT })
    void net.last.close('replaced')
    await promisesSettled()
    assert.deepEqual(written.moves, ['started', 'code_shown', 'started', 'opened', 'replaced'])
    assert.deepEqual(written.taken, [], 'no messages are processed on a closed connection')
  })
})
