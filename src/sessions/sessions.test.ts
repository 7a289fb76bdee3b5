// Sessions on a real store: stored states match sessions again after every fault, and a log-out is final.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import { pino } from 'pino'
import { type Fault, faultyStore } from '../../test/contract/faulty-store.ts'
import { engines, type StoreLocation } from '../../test/support/engines.ts'
import { until } from '../../test/support/linked.ts'
import { type Connection, scriptedNetwork } from '../../test/support/scripted-network.ts'
import { findSessionRow, updateInstance } from '../instances/instance-queries.ts'
import { recordLogOut } from '../instances/log-out.ts'
import { hasCredentials } from '../instances/session-key-queries.ts'
import { StoreError } from '../kernel/store-error.ts'
import { makeAccount, makeInstance } from '../store/conformance/tenant.ts'
import { openPostgresStore } from '../store/engines/postgres/open.ts'
import { openSqliteStore } from '../store/engines/sqlite/open.ts'
import type { Store } from '../store/store.ts'
import type { RowChange } from '../store/tables.ts'
import { instanceScope, openVault, type Vault } from '../store/vault.ts'
import { createSessions, type Sessions } from './sessions.ts'

const ACCOUNT = { number: '5511900000001', lid: null, name: null }
const UNAVAILABLE = new StoreError('unavailable', 'the disk is full')

for (const engine of engines) {
  describe(`sessions on ${engine.name}`, () => {
    let storeLocation: StoreLocation
    let store: Store
    let vault: Vault
    let accountId: number
    let fault: Fault
    let net: ReturnType<typeof scriptedNetwork>
    let sessions: Sessions
    let reconcile: () => void
    before(async () => {
      storeLocation = await engine.createLocation()
      store = await (storeLocation.databaseUrl === undefined
        ? openSqliteStore(storeLocation.directory, {})
        : openPostgresStore(storeLocation.databaseUrl, {}))
      vault = await openVault(store.db, randomBytes(32))
      accountId = await makeAccount(store)
    })
    after(async () => {
      await store.close()
      await storeLocation.dispose()
    })
    beforeEach(async () => {
      // Hides the instances of earlier tests.
      await store.db.updateTable('instances').set({ deleted_at: 1 }).execute()
      fault = { error: undefined, hold: undefined }
      net = scriptedNetwork()
      net.connecting = async (connection) => open(connection)
      sessions = createSessions({
        store: faultyStore(store, fault),
        vault,
        clock: Date.now,
        logger: pino({ level: 'silent' }),
        network: net.network,
        onOpened: () => undefined,
        onEvidence: () => undefined,
        wakeSending: () => undefined,
        every(_ms, work) {
          reconcile = work
          return () => undefined
        },
      })
    })

    const open = (connection: Connection) => void connection.emit({ kind: 'opened', account: ACCOUNT })
    const instance = async (change: RowChange<'instances'> = {}) => {
      const id = await makeInstance(store, accountId)
      await updateInstance(store.db, id, { updated_at: 1, ...change })
      const sealed = await store.transaction((tx) =>
        vault.seal(
          tx,
          instanceScope(id),
          { table: 'session_keys', column: 'sealed', row: 'x' },
          Buffer.from('x'),
        ),
      )
      await store.db
        .insertInto('session_keys')
        .values({ instance_id: id, kind: 'creds', name: 'creds', sealed })
        .execute()
      return id
    }
    const stateOf = async (id: number) => {
      const row = await findSessionRow(store.db, id)
      return [row?.state, row?.state_reason].join('/')
    }
    const untilState = (id: number, wanted: string) =>
      until(wanted, async () => ((await stateOf(id)) === wanted ? true : undefined))
    const untilForgotten = (id: number) =>
      until('the end of the log-out', async () => {
        const row = await findSessionRow(store.db, id)
        return row?.logout_requested_at === null && !(await hasCredentials(store.db, id)) ? true : undefined
      })
    const opened = async () => {
      const id = await instance()
      await sessions.resume('all')
      await untilState(id, 'open/')
      return id
    }
    const logOut = async (id: number) => {
      await recordLogOut({ store, clock: Date.now }, id)
      return sessions.logOut(id)
    }

    test('a log-out whose credentials cannot be destroyed is finished in the background, and check() rejects until then', async () => {
      const id = await opened()
      net.loggingOut = async () => {
        fault.error = UNAVAILABLE
      }
      assert.equal(await logOut(id), false)
      assert.equal(net.last.isLoggedOut, true)
      assert.equal(await stateOf(id), 'close/logged_out')
      assert.equal(await hasCredentials(store.db, id), true)
      await assert.rejects(sessions.check(), { kind: 'unavailable' })
      await assert.rejects(sessions.start(id), { kind: 'unavailable' })
      fault.error = undefined
      await untilForgotten(id)
      await sessions.check()
      assert.equal(await stateOf(id), 'close/logged_out')
      await sessions.close()
    })

    test('pairing again after an unfinished log-out finishes it first', async () => {
      const id = await opened()
      net.loggingOut = async () => {
        fault.error = UNAVAILABLE
      }
      assert.equal(await logOut(id), false)
      fault.error = undefined
      const before = net.connections.length
      net.connecting = async (connection) => {
        assert.equal(await hasCredentials(store.db, id), false)
        void connection.emit({ kind: 'qr', code: 'new', expiresAt: Date.now() + 60_000 })
      }
      assert.equal((await sessions.qr(id, 15_000))?.code, 'new')
      assert.equal(net.connections.length, before + 1)
      await sessions.close()
    })

    test('neither a restart nor a loss during a log-out restarts the session', async () => {
      const id = await opened()
      await recordLogOut({ store, clock: Date.now }, id)
      await net.last.close('lost')
      const finished = sessions.logOut(id)
      await sessions.restart(id)
      assert.equal(await finished, true)
      reconcile()
      await sessions.close()
      assert.equal(net.openAtOnce, 0)
      assert.deepEqual([await stateOf(id), await hasCredentials(store.db, id)], ['close/logged_out', false])
    })

    test('a log-out during a reconnect ends the login over a new connection', async () => {
      const id = await opened()
      await net.last.close('lost')
      assert.equal(await logOut(id), true)
      assert.equal(net.last.isLoggedOut, true)
      await sessions.close()
    })

    test('a log-out recorded by an earlier process is finished at the start, at the network too', async () => {
      const id = await instance()
      await recordLogOut({ store, clock: Date.now }, id)
      await sessions.resume('all')
      await untilForgotten(id)
      assert.equal(net.last.isLoggedOut, true)
      await sessions.close()
    })

    test('at the start every login is connected, except a replaced one and those with a planned attempt', async () => {
      const reasons = [
        null,
        'network_lost',
        'bad_session',
        'client_outdated',
        'temporarily_banned',
        'replaced',
      ]
      const ids = await Promise.all(
        reasons.map((reason) =>
          instance({ state: reason === null ? 'open' : 'close', state_reason: reason }),
        ),
      )
      const later = { state: 'close', state_until: Date.now() + 3_600_000 }
      const waiting = [
        await instance({ ...later, state_reason: 'replaced' }),
        await instance({ ...later, state_reason: 'temporarily_banned' }),
      ]
      await sessions.resume('all')
      for (const id of ids.slice(0, -1)) await untilState(id, 'open/')
      assert.equal(await stateOf(ids.at(-1) as number), 'close/replaced')
      assert.deepEqual(await Promise.all(waiting.map(stateOf)), [
        'close/replaced',
        'close/temporarily_banned',
      ])
      assert.equal(net.connections.length, ids.length - 1)
      await sessions.close()
    })

    test('reconciliation: an open row without a connection is corrected, and a login without a session gets one', async () => {
      const id = await opened()
      net.connecting = async () => Promise.reject(new Error('the network is unavailable'))
      await net.last.close('lost')
      await untilState(id, 'connecting/network_lost')
      await updateInstance(store.db, id, { state: 'open', state_reason: null })
      const [missing, unpaired] = [await instance(), await instance({ logged_in: 0 })]
      reconcile()
      await untilState(id, 'connecting/network_lost')
      await untilState(missing, 'connecting/network_lost')
      await untilState(unpaired, 'close/stopped')
      await sessions.close()
    })

    test('reconciliation: the row of an open session becomes open', async () => {
      const id = await opened()
      await updateInstance(store.db, id, { state: 'connecting', state_reason: 'network_lost' })
      // As its timer does: a pass that meets a state which is being saved leaves it to the next one.
      await until('the open state', async () => {
        reconcile()
        return (await stateOf(id)) === 'open/' ? true : undefined
      })
      await sessions.close()
    })
  })
}
