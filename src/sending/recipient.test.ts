// The address book on both engines: an unregistered number is looked up again after five minutes, or when evidence comes.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { engines, type StoreLocation } from '../../test/support/engines.ts'
import { openStore } from '../../test/support/open-store.ts'
import { clearUnknownNumbers } from '../contacts/number-queries.ts'
import { makeTenant, NOON } from '../store/conformance/tenant.ts'
import type { Store } from '../store/store.ts'
import { createAddressBook } from './recipient.ts'

const MINUTE_MS = 60_000
const CHAT = '5511987654321@s.whatsapp.net'
const JID = '551187654321@s.whatsapp.net'

for (const engine of engines)
  describe(`the address book on ${engine.name}`, () => {
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

    async function startBook(answers: (string | null)[]) {
      const { instanceId } = await makeTenant(store)
      const state = { now: NOON, lookups: 0, meanwhile: () => undefined as void }
      const book = createAddressBook({
        store,
        clock: () => state.now,
        async lookUp() {
          state.lookups += 1
          state.meanwhile()
          const jid = answers.shift() ?? null
          return { exists: jid !== null, jid: jid ?? CHAT, isConfirmed: true }
        },
      })
      return { state, book, instanceId, address: () => book.addressOf(instanceId, CHAT) }
    }

    test('an unregistered number is looked up again after five minutes, not before', async () => {
      const { state, address } = await startBook([null, JID])
      assert.deepEqual([await address(), await address(), state.lookups], [null, null, 1])
      state.now += 5 * MINUTE_MS
      assert.deepEqual([await address(), await address(), state.lookups], [JID, JID, 2])
    })

    test('a number that evidence removed from the store is looked up at once, because it is not cached in memory', async () => {
      const { state, address, instanceId } = await startBook([null, JID])
      assert.equal(await address(), null)
      await clearUnknownNumbers(store.db, instanceId, ['5511987654321'])
      assert.deepEqual([await address(), state.lookups], [JID, 2])
      await clearUnknownNumbers(store.db, instanceId, ['5511987654321'])
      assert.deepEqual([await address(), state.lookups], [JID, 2])
    })

    test('evidence that comes during a lookup causes a second lookup', async () => {
      const { state, book, address, instanceId } = await startBook([null, JID])
      state.meanwhile = () => book.recordEvidence(instanceId, ['551187654321'])
      assert.deepEqual([await address(), state.lookups], [JID, 2])
    })

    test('a forgotten address is looked up again', async () => {
      const { state, book, address, instanceId } = await startBook([JID, null])
      assert.equal(await address(), JID)
      await book.forget(instanceId, CHAT)
      assert.deepEqual([await address(), state.lookups], [null, 2])
    })
  })
