// Pairing and logging in have handshakes of their own: open QR codes delay no login, and no takeover.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import { pino } from 'pino'
import { engines, type StoreLocation } from '../../test/support/engines.ts'
import { until } from '../../test/support/linked.ts'
import { openStore } from '../../test/support/open-store.ts'
import { scriptedNetwork } from '../../test/support/scripted-network.ts'
import { findSessionRow } from '../instances/instance-queries.ts'
import { makeAccount, makeInstance } from '../store/conformance/tenant.ts'
import type { Store } from '../store/store.ts'
import { instanceScope, openVault, type Vault } from '../store/vault.ts'
import { createSessions, type Sessions } from './sessions.ts'

const CODES = 16
const ACCOUNT = { number: '5511900000001', lid: null, name: null }

for (const engine of engines) {
  describe(`handshakes on ${engine.name}`, () => {
    let storeLocation: StoreLocation
    let store: Store
    let vault: Vault
    let accountId: number
    let net: ReturnType<typeof scriptedNetwork>
    let sessions: Sessions
    before(async () => {
      storeLocation = await engine.createLocation()
      store = await openStore(storeLocation)
      vault = await openVault(store.db, randomBytes(32))
      accountId = await makeAccount(store)
    })
    after(async () => {
      await store.close()
      await storeLocation.dispose()
    })
    beforeEach(() => {
      net = scriptedNetwork()
      sessions = createSessions({
        store,
        vault,
        clock: Date.now,
        logger: pino({ level: 'silent' }),
        network: net.network,
        onOpened: () => undefined,
        onEvidence: () => undefined,
        wakeSending: () => undefined,
        every: () => () => undefined,
      })
    })
    const stateOf = async (id: number) => (await findSessionRow(store.db, id))?.state
    async function startPairings(): Promise<void> {
      for (let count = 0; count < CODES; count += 1)
        await sessions.start(await makeInstance(store, accountId))
    }
    async function loggedIn(): Promise<number> {
      const id = await makeInstance(store, accountId)
      const location = { table: 'session_keys', column: 'sealed', row: `${id}/creds/creds` } as const
      const sealed = await store.transaction((tx) =>
        vault.seal(tx, instanceScope(id), location, Buffer.from('x')),
      )
      const row = { instance_id: id, kind: 'creds', name: 'creds', sealed }
      await store.db.insertInto('session_keys').values(row).execute()
      return id
    }

    test('sixteen open QR codes do not count as waiting handshakes', async () => {
      let shown = 0
      net.connecting = async (connection) => {
        void connection.emit({ kind: 'qr', code: 'code', expiresAt: Date.now() + 60_000 })
        shown += 1
      }
      await startPairings()
      await until('all codes', async () => shown === CODES || undefined)
      assert.deepEqual(sessions.owned.count(), { sessions: CODES, waitingHandshakes: 0 })
      await sessions.close()
    })

    test('a login opens while sixteen pairings get no answer of the network', async () => {
      await startPairings()
      await until(
        'no waiting handshake',
        async () => sessions.owned.count().waitingHandshakes === 0 || undefined,
      )
      net.connecting = async (connection) => void connection.emit({ kind: 'opened', account: ACCOUNT })
      const id = await loggedIn()
      await sessions.start(id)
      await until('an open session', async () => (await stateOf(id)) === 'open' || undefined)
      await sessions.close()
    })
  })
}
