// Applies the pending migrations of PostgreSQL, all in one transaction and under a lock.
import type pg from 'pg'
import {
  type AppliedMigration,
  MIGRATIONS_TABLE,
  pendingMigrations,
  readMigrations,
} from '../../migrations.ts'
import { inTransaction } from './pool.ts'

export async function migratePostgres(pool: pg.Pool): Promise<void> {
  const known = await readMigrations('postgres')
  // Two first starts at the same time may both create the table. The second one fails, and then finds the table there.
  await pool.query(MIGRATIONS_TABLE).catch(async (error: unknown) => {
    await pool.query('select 1 from schema_migrations limit 1').catch(() => {
      throw error
    })
  })
  await inTransaction(pool, async (client) => {
    await client.query('lock table schema_migrations in access exclusive mode')
    const { rows } = await client.query<AppliedMigration>(
      'select version, name, checksum from schema_migrations order by version',
    )
    for (const { version, name, sql, checksum } of pendingMigrations(known, rows)) {
      await client.query(sql)
      await client.query(
        'insert into schema_migrations (version, name, checksum, applied_at) values ($1, $2, $3, $4)',
        [version, name, checksum, Date.now()],
      )
    }
  })
}
