// Migrations: numbered SQL files, applied in order. A file that was changed after it was applied stops the start, and so does an
// unknown newer one, unless it still works with this program (decision 0092).

import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { wallClock } from '../kernel/async/clock.ts'
import { programPath } from '../kernel/process/program-files.ts'
import { StoreError } from '../kernel/store-error.ts'
import { type MigrationHeader, readHeader } from './migration-header.ts'

export interface Migration extends MigrationHeader {
  version: number
  name: string
  sql: string
  checksum: string
}

export interface AppliedMigration {
  version: number
  name: string
  checksum: string
  /** The oldest schema version whose program may use the database after this migration. Null: that of the migration itself. */
  worksWith: number | null
}

const FILE_NAME = /^(\d{4})-([a-z0-9-]+)\.sql$/

export async function readMigrations(engine: 'sqlite' | 'postgres'): Promise<Migration[]> {
  const folder = programPath('migrations', engine)
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()
  const migrations = await Promise.all(
    files.map(async (file) => {
      const [, number, name] = FILE_NAME.exec(file) ?? []
      if (number === undefined || name === undefined)
        throw new Error(`migrations/${engine}/${file}: expected a name like 0001-example.sql`)
      return parseMigration(Number(number), name, await readFile(join(folder, file), 'utf8'))
    }),
  )
  const repeated = migrations.find(({ version }, index) => version === migrations[index - 1]?.version)
  if (repeated) throw new Error(`migrations/${engine}: two files have the number ${repeated.version}`)
  return migrations
}

export function parseMigration(version: number, name: string, sql: string): Migration {
  const checksum = createHash('sha256').update(sql).digest('hex')
  return { version, name, sql, checksum, ...readHeader(version, sql) }
}

/** The migrations to apply. Throws if this program must not use the database. */
export function pendingMigrations(known: Migration[], applied: AppliedMigration[]): Migration[] {
  for (const { version, name, checksum } of applied) {
    const match = known.find((migration) => migration.version === version)
    if (match && match.checksum !== checksum) {
      throw new StoreError('failed', `migration ${version} (${name}) differs from the one that was applied`)
    }
  }
  refuseNewerSchema(known, applied)
  const done = new Set(applied.map((migration) => migration.version))
  return known.filter((migration) => !done.has(migration.version))
}

/**
 * Throws if a newer program has applied a migration that this one does not work with. Of all unknown ones the strictest counts: a
 * later one that only adds does not take back what an earlier one removed.
 */
export function refuseNewerSchema(known: Migration[], applied: AppliedMigration[]): void {
  const own = known.at(-1)?.version ?? 0
  const needed = ({ version, worksWith }: AppliedMigration): number => worksWith ?? version
  const unknown = applied.filter(({ version }) => known.every((migration) => migration.version !== version))
  const [strictest] = unknown.toSorted((a, b) => needed(b) - needed(a))
  if (!strictest || needed(strictest) <= own) return
  throw new StoreError(
    'failed',
    `the database is newer than this program: migration ${strictest.version} (${strictest.name}) needs a program of schema ` +
      `version ${needed(strictest)} or later, and this one has ${own}; start the release that has updated the database, ` +
      'or restore a backup from before the update',
  )
}

export const MIGRATIONS_TABLE = `create table if not exists schema_migrations (
  version bigint primary key, name text not null, checksum text not null, applied_at bigint not null, works_with bigint
)`

/**
 * The table of an earlier release has no `works_with`. In the inner query the name then means the outer null: one query reads both
 * tables, on both engines, also those of a backup that must not be changed.
 */
export const APPLIED_MIGRATIONS = `select version, name, checksum, applied_at as "appliedAt",
    (select works_with from schema_migrations as same where same.version = applied.version) as "worksWith"
  from schema_migrations as applied, (select cast(null as bigint) as works_with) as earlier_release
  order by version`

export const RECORDED_COLUMNS = 'version, name, checksum, applied_at, works_with'
export const recordOf = ({ version, name, checksum, worksWith }: Migration): unknown[] => [
  version,
  name,
  checksum,
  wallClock(),
  worksWith,
]
