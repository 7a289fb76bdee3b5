// Applies the pending migrations of SQLite, all in one transaction.
import {
  type AppliedMigration,
  MIGRATIONS_TABLE,
  pendingMigrations,
  readMigrations,
} from '../../migrations.ts'
import type { SqliteClient } from './worker-client.ts'

export async function migrateSqlite(client: SqliteClient): Promise<void> {
  const known = await readMigrations('sqlite')
  await client.call('script', { sql: `begin immediate; ${MIGRATIONS_TABLE}` })
  try {
    const { rows } = await client.call('query', {
      connection: 'write',
      sql: 'select version, name, checksum from schema_migrations order by version',
      parameters: [],
    })
    for (const { version, name, sql, checksum } of pendingMigrations(known, rows as AppliedMigration[])) {
      await client.call('script', { sql })
      await client.call('query', {
        connection: 'write',
        sql: 'insert into schema_migrations (version, name, checksum, applied_at) values (?, ?, ?, ?)',
        parameters: [version, name, checksum, Date.now()],
      })
    }
    await client.call('script', { sql: 'commit' })
  } catch (error) {
    await client.call('rollback', null)
    throw error
  }
}
