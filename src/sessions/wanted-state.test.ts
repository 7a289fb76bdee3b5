// A node writes the states of the instances that it serves, and of no others.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { pino } from 'pino'
import { engines, type StoreLocation } from '../../test/support/engines.ts'
import { openStore } from '../../test/support/open-store.ts'
import { findInstanceById } from '../instances/instance-queries.ts'
import { makeTenant, NOON } from '../store/conformance/tenant.ts'
import type { Store } from '../store/store.ts'
import { openVault } from '../store/vault.ts'
import { saveState } from './wanted-state.ts'

// On SQLite there is one process, and no instance has an owner.
for (const engine of engines.filter(({ name }) => name === 'postgres')) {
  describe(`saving a state on ${engine.name}`, () => {
    let storeLocation: StoreLocation
    let store: Store
    before(async () => {
      storeLocation = await engine.createLocation()
      store = await openStore(storeLocation)
    })
    after(async () => {
      await store.close()
      await storeLocation.dispose()
    })

    for (const wanted of [{ event: 'replaced' }, { event: 'logged_out', clearsLogin: true }] as const) {
      test(`${wanted.event} is written by the node that serves the instance only`, async () => {
        const vault = await openVault(store.db, new Uint8Array(32))
        const { instanceId } = await makeTenant(store)
        const before = await findInstanceById(store.db, instanceId)
        const refused: string[] = []
        const deps = {
          store,
          vault,
          clock: () => NOON,
          logger: pino({ level: 'silent' }),
          onOpened: () => undefined,
          nodeId: 7,
          onRefusedWrite: (write: string) => void refused.push(write),
        }
        const serve = (nodeId: number) =>
          store.db.updateTable('instances').set({ node_id: nodeId }).where('id', '=', instanceId).execute()
        await serve(8)
        assert.equal(await saveState(deps, instanceId, wanted), false)
        assert.deepEqual(await findInstanceById(store.db, instanceId), before && { ...before, node_id: 8 })
        await serve(7)
        assert.deepEqual(refused, ['state'])
        assert.equal(await saveState(deps, instanceId, wanted), true)
        assert.equal(refused.length, 1)
        assert.equal((await findInstanceById(store.db, instanceId))?.state_reason, wanted.event)
      })
    }
  })
}
