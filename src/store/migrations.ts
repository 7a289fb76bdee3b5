// Migrations: numbered SQL files, applied in order. A file that was changed after it was applied, or is unknown, stops the start.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { programPath } from '../process/program-files.ts'
import { StoreError } from './store-error.ts'

export interface Migration {
  version: number
  name: string
  sql: string
  checksum: string
}

export interface AppliedMigration {
  version: number
  name: string
  checksum: string
}

const FILE_NAME = /^(\d{4})-([a-z0-9-]+)\.sql$/

export async function readMigrations(engine: 'sqlite' | 'postgres'): Promise<Migration[]> {
  const folder = programPath('migrations', engine)
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()
  return Promise.all(
    files.map(async (file, index) => {
      const match = FILE_NAME.exec(file)
      if (!match || Number(match[1]) !== index + 1)
        throw new Error(`migrations/${engine}/${file} is out of order`)
      const sql = await readFile(join(folder, file), 'utf8')
      const checksum = createHash('sha256').update(sql).digest('hex')
      return { version: index + 1, name: match[2] as string, sql, checksum }
    }),
  )
}

/** The migrations to apply. Throws if this program must not use the database. */
export function pendingMigrations(known: Migration[], applied: AppliedMigration[]): Migration[] {
  for (const { version, name, checksum } of applied) {
    const match = known.find((migration) => migration.version === version)
    if (!match) {
      throw new StoreError(
        'failed',
        `the database is newer than this program: migration ${version} (${name}) is unknown`,
      )
    }
    if (match.checksum !== checksum) {
      throw new StoreError('failed', `migration ${version} (${name}) differs from the one that was applied`)
    }
  }
  const done = new Set(applied.map((migration) => migration.version))
  return known.filter((migration) => !done.has(migration.version))
}

export const MIGRATIONS_TABLE = `create table if not exists schema_migrations (
  version bigint primary key, name text not null, checksum text not null, applied_at bigint not null
)`
