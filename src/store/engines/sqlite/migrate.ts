// Applies the pending migrations of SQLite, all in one transaction.
import {
  APPLIED_MIGRATIONS,
  type AppliedMigration,
  MIGRATIONS_TABLE,
  type Migration,
  pendingMigrations,
  RECORDED_COLUMNS,
  readMigrations,
  recordOf,
} from '../../migrations.ts'
import type { SqliteClient } from './worker-client.ts'

export async function migrateSqlite(client: SqliteClient): Promise<void> {
  const known = await readMigrations('sqlite')
  await client.call('script', { sql: `begin immediate; ${MIGRATIONS_TABLE}` })
  try {
    const applied = (await query(client, APPLIED_MIGRATIONS)) as AppliedMigration[]
    const pending = pendingMigrations(known, applied)
    if (pending.length > 0) await apply(client, pending)
    await client.call('script', { sql: 'commit' })
  } catch (error) {
    await client.call('rollback', null)
    throw error
  }
}

/** The header's `concurrently` means nothing here: a transaction of SQLite can build an index, and no other process waits. */
async function apply(client: SqliteClient, pending: Migration[]): Promise<void> {
  const columns = await query(
    client,
    `select 1 from pragma_table_info('schema_migrations') where name = 'works_with'`,
  )
  if (columns.length === 0)
    await client.call('script', { sql: 'alter table schema_migrations add column works_with bigint' })
  for (const migration of pending) {
    await client.call('script', { sql: migration.sql })
    await query(
      client,
      `insert into schema_migrations (${RECORDED_COLUMNS}) values (?, ?, ?, ?, ?)`,
      recordOf(migration),
    )
  }
}

const query = async (client: SqliteClient, sql: string, parameters: unknown[] = []): Promise<unknown[]> =>
  (await client.call('query', { connection: 'write', sql, parameters })).rows
