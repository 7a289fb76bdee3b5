// Transactions that PostgreSQL aborts are repeated inside the store, and succeed for their callers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withDatabase } from '../../../../test/support/database.ts'
import { engines } from '../../../../test/support/engines.ts'
import { updateAccount } from '../../../accounts/account-queries.ts'
import { makeAccount, makeTenant, queuedCount } from '../../conformance/tenant.ts'
import { lockAccount } from '../../locks.ts'
import type { Db } from '../../tables.ts'
import { openPostgresStore } from './open.ts'

const engine = engines.find(({ name }) => name === 'postgres')
if (engine) {
  test('two transactions that lock two rows in opposite orders both succeed', async () => {
    const storeLocation = await engine.createLocation()
    const store = await openPostgresStore(storeLocation.databaseUrl as string)
    try {
      const [one, other] = [await makeAccount(store), await makeAccount(store)]
      let tries = 0
      const bothHoldOne = Promise.withResolvers<void>()
      const lock = (first: number, second: number) =>
        store.transaction(async (tx) => {
          await lockAccount(tx, first)
          tries += 1
          if (tries === 2) bothHoldOne.resolve()
          await bothHoldOne.promise
          return lockAccount(tx, second)
        })
      assert.deepEqual(await Promise.all([lock(one, other), lock(other, one)]), [true, true])
      assert.equal(tries, 3, 'one of them ran a second time')
    } finally {
      await store.close()
      await storeLocation.dispose()
    }
  })

  test('a statement, a transaction and a batch that the server aborts twice succeed at the third try', async () => {
    const storeLocation = await engine.createLocation()
    const store = await openPostgresStore(storeLocation.databaseUrl as string)
    try {
      const tenant = await makeTenant(store)
      await withDatabase(storeLocation, async (database) => {
        await database.rows('create sequence tries')
        await database.rows(`create function refuse_twice() returns trigger language plpgsql as $$ begin
          if nextval('tries') % 3 <> 0 then raise exception 'met another' using errcode = '40001'; end if;
          return new; end $$`)
        await database.rows(
          'create trigger refuse_twice before update on accounts for each row execute function refuse_twice()',
        )
      })
      const rename = (db: Db) => updateAccount(db, tenant.accountId, { name: 'Renamed' })
      assert.equal((await rename(store.db))?.name, 'Renamed')
      assert.equal((await store.transaction(rename))?.name, 'Renamed')
      assert.deepEqual(await store.acceptSend(tenant.send()), { outcome: 'accepted' })
      assert.equal(await queuedCount(store, tenant.instanceId), 1)
    } finally {
      await store.close()
      await storeLocation.dispose()
    }
  })
}
