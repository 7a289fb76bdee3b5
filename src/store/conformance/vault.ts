// The vault on a real database: what was moved, changed or orphaned there does not open (promise E3).
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import type { Conformance, ConformancePlace } from '../conformance.ts'
import { KEY_BYTES } from '../seal.ts'
import type { Store } from '../store.ts'
import { accountScope, instanceScope, openVault, type Vault, WrongMasterKeyError } from '../vault.ts'
import { times } from './tenant.ts'

const SECRET = Buffer.from('the secret')
const place = { table: 'webhooks', column: 'sealed_secret', row: 7 }

export function vaultConformance({ engine }: Conformance): void {
  describe('the vault', () => {
    const withVault =
      (work: (store: Store, vault: Vault, masterKey: Uint8Array) => Promise<void>) => async () => {
        const home: ConformancePlace = await engine.place()
        const store = await home.open()
        try {
          const masterKey = randomBytes(KEY_BYTES)
          await work(store, await openVault(store.db, masterKey), masterKey)
        } finally {
          await store.close()
          await home.dispose()
        }
      }

    test(
      'a sealed value opens in its place, also after a restart, and nowhere else',
      withVault(async (store, vault, masterKey) => {
        const scope = accountScope(1)
        const sealed = await vault.seal(store.db, scope, place, SECRET)
        assert.ok(!Buffer.from(sealed).includes(SECRET))
        const again = await openVault(store.db, masterKey)
        assert.deepEqual(Buffer.from(await again.unseal(store.db, scope, place, sealed)), SECRET)

        await vault.seal(store.db, accountScope(2), place, SECRET)
        const elsewhere = [
          [scope, { ...place, row: 8 }],
          [scope, { ...place, column: 'name' }],
          [scope, { ...place, table: 'session_keys' }],
          [accountScope(2), place],
        ] as const
        for (const [otherScope, otherPlace] of elsewhere) {
          await assert.rejects(vault.unseal(store.db, otherScope, otherPlace, sealed))
        }
      }),
    )

    test(
      'another master key is refused, and the right one still opens afterwards',
      withVault(async (store, _vault, masterKey) => {
        await assert.rejects(openVault(store.db, randomBytes(KEY_BYTES)), WrongMasterKeyError)
        await openVault(store.db, masterKey)
      }),
    )

    test(
      'a data key put into another scope opens nothing',
      withVault(async (store, vault) => {
        const sealed = await vault.seal(store.db, instanceScope(1), place, SECRET)
        await store.db
          .updateTable('data_keys')
          .set({ scope: instanceScope(2) })
          .execute()
        await assert.rejects(vault.unseal(store.db, instanceScope(2), place, sealed))
      }),
    )

    test(
      'a destroyed data key takes all that it sealed with it; a new one opens only what is new',
      withVault(async (store, vault) => {
        const scope = instanceScope(1)
        const sealed = await vault.seal(store.db, scope, place, SECRET)
        await store.transaction((tx) => vault.destroy(tx, scope))
        await assert.rejects(vault.unseal(store.db, scope, place, sealed))
        const fresh = await vault.seal(store.db, scope, place, SECRET)
        await assert.rejects(vault.unseal(store.db, scope, place, sealed))
        assert.deepEqual(Buffer.from(await vault.unseal(store.db, scope, place, fresh)), SECRET)
      }),
    )

    test(
      'a destruction that was rolled back destroyed nothing',
      withVault(async (store, vault) => {
        const scope = instanceScope(1)
        const sealed = await vault.seal(store.db, scope, place, SECRET)
        const work = store.transaction(async (tx) => {
          await vault.destroy(tx, scope)
          throw new Error('no')
        })
        await assert.rejects(work)
        assert.deepEqual(Buffer.from(await vault.unseal(store.db, scope, place, sealed)), SECRET)
      }),
    )

    test(
      'first uses of a scope at once agree on one data key',
      withVault(async (store, vault) => {
        const scope = accountScope(3)
        const sealed = await Promise.all(
          times(20, (row) => store.transaction((tx) => vault.seal(tx, scope, { ...place, row }, SECRET))),
        )
        for (const [row, each] of sealed.entries()) {
          assert.deepEqual(Buffer.from(await vault.unseal(store.db, scope, { ...place, row }, each)), SECRET)
        }
      }),
    )
  })
}
