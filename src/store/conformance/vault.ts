// The vault on a real database: values that were moved or changed, or have lost their key, cannot be opened (promise E3).
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { KEY_BYTES } from '../seal.ts'
import type { Store } from '../store.ts'
import { accountScope, instanceScope, openVault, type Vault, WrongMasterKeyError } from '../vault.ts'
import { times } from './tenant.ts'
import type { Conformance, ConformanceLocation } from './types.ts'

const SECRET = Buffer.from('the secret')
const cell = { table: 'webhooks', column: 'sealed_secret', row: 7 }

export function vaultConformance({ engine }: Conformance): void {
  describe('the vault', () => {
    const withVault =
      (work: (store: Store, vault: Vault, masterKey: Uint8Array) => Promise<void>) => async () => {
        const home: ConformanceLocation = await engine.createLocation()
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
      'a sealed value opens in its cell, also after a restart, and in no other cell',
      withVault(async (store, vault, masterKey) => {
        const scope = accountScope(1)
        const sealed = await vault.seal(store.db, scope, cell, SECRET)
        assert.ok(!Buffer.from(sealed).includes(SECRET))
        const again = await openVault(store.db, masterKey)
        assert.deepEqual(Buffer.from(await again.unseal(store.db, scope, cell, sealed)), SECRET)

        await vault.seal(store.db, accountScope(2), cell, SECRET)
        const elsewhere = [
          [scope, { ...cell, row: 8 }],
          [scope, { ...cell, column: 'name' }],
          [scope, { ...cell, table: 'session_keys' }],
          [accountScope(2), cell],
        ] as const
        for (const [otherScope, otherCell] of elsewhere) {
          await assert.rejects(vault.unseal(store.db, otherScope, otherCell, sealed))
        }
      }),
    )

    test(
      'a wrong master key is refused, and the right one still works afterwards',
      withVault(async (store, _vault, masterKey) => {
        await assert.rejects(openVault(store.db, randomBytes(KEY_BYTES)), WrongMasterKeyError)
        await openVault(store.db, masterKey)
      }),
    )

    test(
      'a data key that is moved to another scope opens nothing',
      withVault(async (store, vault) => {
        const sealed = await vault.seal(store.db, instanceScope(1), cell, SECRET)
        await store.db
          .updateTable('data_keys')
          .set({ scope: instanceScope(2) })
          .execute()
        await assert.rejects(vault.unseal(store.db, instanceScope(2), cell, sealed))
      }),
    )

    test(
      'after a data key is destroyed its values cannot be opened, and a new key opens only new values',
      withVault(async (store, vault) => {
        const scope = instanceScope(1)
        const sealed = await vault.seal(store.db, scope, cell, SECRET)
        await store.transaction((tx) => vault.destroy(tx, scope))
        await assert.rejects(vault.unseal(store.db, scope, cell, sealed))
        const fresh = await vault.seal(store.db, scope, cell, SECRET)
        await assert.rejects(vault.unseal(store.db, scope, cell, sealed))
        assert.deepEqual(Buffer.from(await vault.unseal(store.db, scope, cell, fresh)), SECRET)
      }),
    )

    test(
      'destroying a data key can be rolled back',
      withVault(async (store, vault) => {
        const scope = instanceScope(1)
        const sealed = await vault.seal(store.db, scope, cell, SECRET)
        const work = store.transaction(async (tx) => {
          await vault.destroy(tx, scope)
          throw new Error('no')
        })
        await assert.rejects(work)
        assert.deepEqual(Buffer.from(await vault.unseal(store.db, scope, cell, sealed)), SECRET)
      }),
    )

    test(
      'concurrent first uses of a scope share one data key',
      withVault(async (store, vault) => {
        const scope = accountScope(3)
        const sealed = await Promise.all(
          times(20, (row) => store.transaction((tx) => vault.seal(tx, scope, { ...cell, row }, SECRET))),
        )
        for (const [row, each] of sealed.entries()) {
          assert.deepEqual(Buffer.from(await vault.unseal(store.db, scope, { ...cell, row }, each)), SECRET)
        }
      }),
    )
  })
}
