// `API_KEY` at a start: a process alone replaces the earlier value, a node beside others does not.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { engines, type StoreLocation } from '../../test/support/engines.ts'
import { openStore } from '../../test/support/open-store.ts'
import { newKey } from '../../test/support/started.ts'
import type { Store } from '../store/store.ts'
import { bootstrap, OtherApiKeyError } from './accounts.ts'
import { findCaller } from './api-keys.ts'

for (const engine of engines) {
  describe(`API_KEY at a start on ${engine.name}`, () => {
    let storeLocation: StoreLocation
    let store: Store
    const [first, second] = [newKey(), newKey()]
    before(async () => {
      storeLocation = await engine.createLocation()
      store = await openStore(storeLocation)
    })
    after(async () => {
      await store.close()
      await storeLocation.dispose()
    })
    const clock = Date.now
    const start = (key: string | undefined, isAlone: boolean) =>
      bootstrap({ store, clock }, key, async () => undefined, isAlone)
    const isValid = async (key: string) => (await findCaller({ store, clock }, key)) !== undefined

    test('beside other nodes: the same value or none is accepted, another one is refused and revokes nothing', async () => {
      await start(first, true)
      await start(first, false)
      await start(undefined, false)
      await assert.rejects(start(second, false), OtherApiKeyError)
      assert.deepEqual([await isValid(first), await isValid(second)], [true, false])
    })

    test('alone: another value replaces the earlier one, which is then refused beside other nodes', async () => {
      await start(second, true)
      assert.deepEqual([await isValid(first), await isValid(second)], [false, true])
      await assert.rejects(start(first, false), OtherApiKeyError)
      assert.deepEqual([await isValid(first), await isValid(second)], [false, true])
    })
  })
}
