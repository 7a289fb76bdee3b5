// The limits of every connection to PostgreSQL.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../../../test/support/engines.ts'
import { openPool } from './pool.ts'

const engine = engines.find(({ name }) => name === 'postgres')
if (engine) {
  test('the server ends a transaction that stays idle, so that a suspended process keeps no row locked', async () => {
    const storeLocation = await engine.createLocation()
    const pool = openPool(storeLocation.databaseUrl as string)
    try {
      const { rows } = await pool.query('show idle_in_transaction_session_timeout')
      assert.deepEqual(rows, [{ idle_in_transaction_session_timeout: '10s' }])
    } finally {
      await pool.end()
      await storeLocation.dispose()
    }
  })
}
