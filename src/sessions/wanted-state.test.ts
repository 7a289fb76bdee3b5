// A process whose place another one has taken writes no state of a session.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { pino } from 'pino'
import { openStore } from '../../bench/open-store.ts'
import { engines, type Place } from '../../test/support/engines.ts'
import { makeTenant, NOON } from '../store/conformance/tenant.ts'
import { findLivingInstance } from '../store/queries/instances.ts'
import type { Store } from '../store/store.ts'
import { StoreError } from '../store/store-error.ts'
import { openVault } from '../store/vault.ts'
import { saveState } from './wanted-state.ts'

for (const engine of engines) {
  describe(`saving a state on ${engine.name}`, () => {
    let place: Place
    let store: Store
    before(async () => {
      place = await engine.place()
      store = await openStore(place)
    })
    after(async () => {
      await store.close()
      await place.dispose()
    })

    for (const wanted of [{ event: 'replaced' }, { event: 'logged_out', clearsLogin: true }] as const) {
      test(`${wanted.event} is written by a live process only`, async () => {
        const vault = await openVault(store.db, new Uint8Array(32))
        const { instanceId } = await makeTenant(store)
        const before = await findLivingInstance(store.db, instanceId)
        let isLive = false
        const deps = {
          store,
          vault,
          clock: () => NOON,
          logger: pino({ level: 'silent' }),
          onOpened: () => undefined,
          async requireLive() {
            if (!isLive) throw new StoreError('failed', 'another node has taken over')
          },
        }
        await assert.rejects(saveState(deps, instanceId, wanted), /taken over/)
        assert.deepEqual(await findLivingInstance(store.db, instanceId), before)
        isLive = true
        await saveState(deps, instanceId, wanted)
        assert.equal((await findLivingInstance(store.db, instanceId))?.state_reason, wanted.event)
      })
    }
  })
}
