import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import { type Connection, scriptedBooks, scriptedNetwork, tick } from '../../test/support/scripted-network.ts'
import type { CloseCause, NetworkError, NetworkEvent } from '../network/network.ts'
import { MAX_TRIES, STABLE_MS } from './back-off.ts'
import { CONNECT_MS, Supervisor } from './supervisor.ts'

const ACCOUNT = { number: '5511900000001', lid: null, name: null }

describe('a supervised session', () => {
  let net: ReturnType<typeof scriptedNetwork>
  let written: ReturnType<typeof scriptedBooks>
  let turns: { taken: number; returned: number }
  let supervisor: Supervisor

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_000_000 })
    net = scriptedNetwork()
    written = scriptedBooks()
    turns = { taken: 0, returned: 0 }
    supervisor = new Supervisor({
      network: net.network,
      books: written.books,
      async takeTurn() {
        turns.taken += 1
        let left = false
        return () => {
          if (!left) turns.returned += 1
          left = true
        }
      },
      clock: Date.now,
      random: () => 1,
    })
  })
  afterEach(() => mock.timers.reset())

  /** Lets everything happen that needs no time. */
  const settle = async () => {
    for (let round = 0; round < 12; round += 1) await tick()
  }
  const pass = async (ms: number) => {
    mock.timers.tick(ms)
    await settle()
  }
  const start = async () => {
    void supervisor.start()
    await settle()
  }
  const open = async () => {
    void net.last.emit({ kind: 'opened', account: ACCOUNT })
    await settle()
  }
  const showCode = async (code = 'code-1', livesMs = 60_000) => {
    void net.last.emit({ kind: 'qr', code, expiresAt: Date.now() + livesMs })
    await settle()
  }
  const close = async (cause: CloseCause) => {
    void net.last.close(cause)
    await settle()
  }

  test('connects, opens, takes in what waited, and gives its place among the handshakes back', async () => {
    await start()
    assert.throws(() => supervisor.live(), { kind: 'unavailable' })
    await open()
    assert.equal(supervisor.live(), net.last.session)
    assert.deepEqual(written.moves, ['started', 'opened'])
    assert.deepEqual(written.taken, [net.last.session])
    assert.deepEqual(turns, { taken: 1, returned: 1 })
  })

  test('after pairing it reopens at once, without a pause', async () => {
    await start()
    await showCode()
    await close('restart')
    assert.equal(net.connections.length, 2)
    await open()
    assert.deepEqual(written.moves, ['started', 'code_shown', 'started', 'opened'])
  })

  test('a restart that is asked for again and again does not become a loop without pauses', async () => {
    await start()
    await open()
    await close('restart')
    assert.equal(net.connections.length, 1)
    await pass(1000)
    assert.equal(net.connections.length, 2)
  })

  const ends: [cause: CloseCause, word: string][] = [
    ['code_expired', 'code_expired'],
    ['replaced', 'replaced'],
    ['logged_out', 'login_gone'],
  ]
  for (const [cause, word] of ends) {
    test(`${cause}: it says so and does not come back by itself`, async () => {
      await start()
      await open()
      await close(cause)
      assert.equal(written.moves.at(-1), word)
      await pass(24 * 3_600_000)
      assert.equal(net.connections.length, 1)
      assert.throws(() => supervisor.live(), { kind: 'unavailable' })
      assert.equal(supervisor.isConnecting(), false)
    })
  }

  test('lost: pauses double up to a minute, and after twenty tries in a row somebody has to look', async () => {
    await start()
    const pauses: number[] = []
    for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
      await close('lost')
      assert.equal(written.moves.at(-1), 'connection_lost')
      const expected = Math.min(60_000, 1000 * 2 ** (tries - 1))
      await pass(expected - 1)
      assert.equal(net.connections.length, tries, `not before ${expected} ms`)
      await pass(1)
      assert.equal(net.connections.length, tries + 1)
      pauses.push(expected)
    }
    assert.deepEqual(pauses.slice(0, 8), [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000])
    await close('lost')
    assert.equal(written.moves.at(-1), 'gave_up')
    await pass(24 * 3_600_000)
    assert.equal(net.connections.length, MAX_TRIES + 1)
    assert.deepEqual([turns.taken, turns.returned], [MAX_TRIES + 1, MAX_TRIES + 1])
  })

  test('a connection that was stable starts the count anew; one that was not does not', async () => {
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

  test('bad session: a few tries with long pauses, and the login is kept', async () => {
    await start()
    let tries = 0
    for (; written.moves.at(-1) !== 'gave_up'; tries += 1) {
      await close('bad_session')
      await pass(60_000)
    }
    assert.equal(tries, 6)
    assert.ok(!written.moves.includes('login_gone'))
  })

  test('connecting that fails is a loss like any other', async () => {
    net.connecting = async () => {
      throw new Error('no way')
    }
    await start()
    assert.equal(written.moves.at(-1), 'connection_lost')
    assert.equal(turns.returned, 1)
    net.connecting = async () => undefined
    await pass(1000)
    await open()
    assert.equal(supervisor.isOpen(), true)
  })

  test('a connection that shows neither code nor login in time is closed and tried again', async () => {
    await start()
    await pass(CONNECT_MS)
    assert.equal(net.connections[0]?.isClosed, true)
    assert.equal(written.moves.at(-1), 'connection_lost')
    await pass(1000)
    assert.equal(net.connections.length, 2)
    assert.equal(net.mostAtOnce, 1)
  })

  test('a connect() that never answers holds no place, and is closed if it answers after all', async () => {
    const answer = Promise.withResolvers<void>()
    net.connecting = () => answer.promise
    await start()
    await pass(CONNECT_MS)
    assert.equal(turns.returned, 1)
    assert.equal(written.moves.at(-1), 'connection_lost')
    await pass(1000)
    assert.equal(net.connections.length, 1, 'never two at once')
    net.connecting = async () => undefined
    answer.resolve()
    await settle()
    assert.equal(net.connections[0]?.isClosed, true)
    assert.equal(net.connections.length, 2)
    assert.equal(net.mostAtOnce, 1)
  })

  test('a close that comes before connect() resolves leaves no dead session behind', async () => {
    net.connecting = async (connection) => {
      void connection.emit({ kind: 'opened', account: ACCOUNT })
      void connection.close('lost')
      await tick()
    }
    await start()
    assert.throws(() => supervisor.live(), { kind: 'unavailable' })
    assert.equal(written.moves.at(-1), 'connection_lost')
    net.connecting = async () => undefined
    await pass(1000)
    await open()
    assert.equal(supervisor.live(), net.last.session)
  })

  test('an opening that comes before connect() resolves is taken in once the session is there', async () => {
    const answer = Promise.withResolvers<void>()
    net.connecting = async (connection) => {
      void connection.emit({ kind: 'opened', account: ACCOUNT })
      await answer.promise
    }
    await start()
    assert.equal(supervisor.isOpen(), false)
    answer.resolve()
    await settle()
    assert.deepEqual([written.taken, written.logs], [[net.last.session], []])
  })

  test('what an earlier connection says about itself is ignored; what it says about messages is not', async () => {
    await start()
    await open()
    const [old] = net.connections as [Connection]
    await start()
    await open()
    const before = [...written.moves]
    await old.emit({ kind: 'closed', cause: 'logged_out' })
    await old.emit({ kind: 'opened', account: ACCOUNT })
    await old.emit({ kind: 'qr', code: 'old', expiresAt: Infinity })
    await settle()
    assert.deepEqual(written.moves, before)
    assert.equal(supervisor.live(), net.last.session)
    const receipt: NetworkEvent = { kind: 'receipt', messageIds: ['A'], status: 'read', atMs: 1 }
    await old.emit(receipt)
    const arrived: NetworkEvent = { kind: 'arrived', name: 'x', payload: new Uint8Array() }
    await old.emit(arrived)
    assert.deepEqual(written.recorded, [
      { event: receipt, session: undefined },
      { event: arrived, session: undefined },
    ])
  })

  test('a restart waits for the old connection to close: there are never two', async () => {
    await start()
    await open()
    const closing = Promise.withResolvers<void>()
    net.closing = () => closing.promise
    await start()
    assert.equal(net.connections.length, 1)
    closing.resolve()
    await settle()
    assert.equal(net.connections.length, 2)
    assert.equal(net.mostAtOnce, 1)
  })

  test('a restart during the pause connects at once, and the pause is forgotten', async () => {
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
    assert.equal(net.connections.length, 6, 'the count begins anew')
    await pass(60_000)
    assert.equal(net.connections.filter(({ isClosed }) => !isClosed).length <= 1, true)
    assert.equal(net.mostAtOnce, 1)
  })

  test('stopped during connect: the connection that comes is closed, and nothing follows', async () => {
    const answer = Promise.withResolvers<void>()
    net.connecting = () => answer.promise
    await start()
    const stopped = supervisor.stop()
    answer.resolve()
    await stopped
    assert.equal(net.last.isClosed, true)
    await pass(24 * 3_600_000)
    assert.equal(net.connections.length, 1)
    assert.deepEqual([turns.taken, turns.returned], [1, 1])
    assert.deepEqual(written.moves, ['started'], 'no state is written for a stop: the login stays as it is')
  })

  test('stopped during a connect that fails then: it is not tried again', async () => {
    const answer = Promise.withResolvers<void>()
    net.connecting = () => answer.promise
    await start()
    const stopped = supervisor.stop()
    answer.reject(new Error('no way'))
    await stopped
    await pass(24 * 3_600_000)
    assert.equal(net.connections.length, 1)
    assert.deepEqual(written.moves, ['started'])
  })

  test('stopped during the pause: it does not come back', async () => {
    await start()
    await close('lost')
    await supervisor.stop()
    await pass(24 * 3_600_000)
    assert.equal(net.connections.length, 1)
  })

  test('log out tells the network when it is open, and only closes when it is not', async () => {
    await start()
    await open()
    await supervisor.logOut()
    assert.equal(net.last.isLoggedOut, true)
    await start()
    await showCode()
    await supervisor.logOut()
    assert.deepEqual([net.last.isLoggedOut, net.last.isClosed], [false, true])
  })

  test('who waits for a code gets it when it is shown, and none that has run out', async () => {
    await start()
    const waiting = supervisor.code(15_000)
    await showCode('code-1', 20_000)
    assert.equal((await waiting)?.code, 'code-1')
    await pass(20_000)
    const next = supervisor.code(15_000)
    await showCode('code-2')
    assert.equal((await next)?.code, 'code-2')
  })

  test('who waits for a code is told in time that there is none: too late, open, or at an end', async () => {
    await start()
    const late = supervisor.code(15_000)
    await pass(15_000)
    assert.equal(await late, null)
    const opening = supervisor.code(60_000)
    await open()
    assert.equal(await opening, null)
    await close('replaced')
    assert.equal(await supervisor.code(60_000), null)
  })

  test('a session for a pairing code: once it pairs, never when it opens, and a time-out otherwise', async () => {
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

  test('states are written in the order they happened, however slow the store is', async () => {
    await start()
    void net.last.emit({ kind: 'qr', code: 'a', expiresAt: Infinity })
    void net.last.close('restart')
    await settle()
    void net.last.emit({ kind: 'opened', account: ACCOUNT })
    void net.last.close('replaced')
    await settle()
    assert.deepEqual(written.moves, ['started', 'code_shown', 'started', 'opened', 'replaced'])
    assert.deepEqual(written.taken, [], 'nothing is taken in on a connection that is gone')
  })

  test('an opening that cannot be written is no opening: it tries again, and no rejection is left alone', async () => {
    await start()
    written.failure = new Error('disk full')
    await open()
    assert.equal(supervisor.isOpen(), false)
    assert.equal(net.connections[0]?.isClosed, true)
    written.failure = undefined
    await pass(1000)
    await open()
    assert.deepEqual([supervisor.isOpen(), written.moves.at(-1)], [true, 'opened'])
    assert.ok(written.logs.some((words) => words.includes('disk full')))
  })
})
