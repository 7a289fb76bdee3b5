// Upkeep of the SQLite file through connections of its own, beside those of a running server.

import { existsSync } from 'node:fs'
import { chmod, constants, copyFile, rename, rm } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { requireBackupOf, syncPath, writeBackupFile } from '../backup-file.ts'
import {
  APPLIED_MIGRATIONS,
  type Maintenance,
  MaintenanceError,
  type MigrationRecord,
  schemaStatus,
} from '../maintenance.ts'
import { isMasterKeyOf, MASTER_KEY_MARK } from '../vault.ts'
import { lockDirectory } from './directory-lock.ts'
import { databaseFile, openSqliteStore } from './sqlite-store.ts'

/** How long to wait for the server's writer before giving up. */
const BUSY_MS = 5000

export function createSqliteMaintenance(directory: string): Maintenance {
  const file = databaseFile(directory)
  return {
    engine: 'sqlite',
    async schema() {
      if (!existsSync(file)) return undefined
      const applied = read(file, appliedMigrations)
      return applied && schemaStatus('sqlite', applied)
    },
    async migrate() {
      await (await openSqliteStore(directory)).close()
    },
    async backup(target) {
      if (!existsSync(file)) throw new MaintenanceError(`there is no data in ${directory} yet`)
      // A snapshot of the write-ahead log: the server goes on writing, and the copy is of one moment.
      await writeBackupFile(target, async (partial) =>
        read(file, (db) => void db.prepare('vacuum into ?').run(partial)),
      )
    },
    restore: (source) => restore(directory, file, source),
    async integrityFaults() {
      return read(file, (db) => faultsOf(db, 'quick_check'))
    },
    async checkWrite() {
      withConnection(file, false, (db) => {
        db.prepare(
          'insert into facts (name, value) values (?, ?) on conflict (name) do update set value = excluded.value',
        ).run('checked_at', String(Date.now()))
      })
    },
    async opensWith(masterKey) {
      const mark = read(file, (db) =>
        db.prepare('select value from facts where name = ?').get(MASTER_KEY_MARK),
      )
      return mark && isMasterKeyOf(String(mark.value), masterKey)
    },
    // The database has no clock of its own.
    now: async () => Date.now(),
  }
}

const read = <T>(file: string, work: (db: DatabaseSync) => T): T => withConnection(file, true, work)

function withConnection<T>(file: string, readOnly: boolean, work: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(file, { readOnly, timeout: BUSY_MS })
  try {
    if (!readOnly) db.exec('pragma synchronous = full')
    return work(db)
  } finally {
    db.close()
  }
}

function appliedMigrations(db: DatabaseSync): MigrationRecord[] | undefined {
  const known = db.prepare("select 1 from sqlite_schema where name = 'schema_migrations'").get()
  if (!known) return undefined
  return db.prepare(APPLIED_MIGRATIONS).all() as unknown as MigrationRecord[]
}

function faultsOf(db: DatabaseSync, check: 'quick_check' | 'integrity_check'): string[] {
  const lines = db
    .prepare(`pragma ${check}`)
    .all()
    .map((row) => String(row[check]))
  return lines.length === 1 && lines[0] === 'ok' ? [] : lines
}

async function restore(directory: string, file: string, source: string): Promise<void> {
  await requireBackupOf('sqlite', source)
  // Held to the end, so that no server starts on half a file.
  const unlock = lockDirectory(directory)
  const partial = `${file}.partial`
  try {
    for (const existing of [file, `${file}-wal`]) {
      if (existsSync(existing))
        throw new MaintenanceError(`${existing} exists: restore only where no data is`)
    }
    await copyFile(source, partial, constants.COPYFILE_FICLONE)
    await chmod(partial, 0o600)
    await requireSound(partial, source)
    await syncPath(partial)
    await rename(partial, file)
    await syncPath(directory)
  } finally {
    // A copy that was made by hand may be in WAL mode, and looking into it leaves these.
    for (const left of [partial, `${partial}-wal`, `${partial}-shm`]) await rm(left, { force: true })
    unlock()
  }
}

async function requireSound(copy: string, source: string): Promise<void> {
  const { faults, applied } = readBackup(copy, source)
  if (faults.length > 0) throw new MaintenanceError(`${source}: damaged (${faults[0]})`)
  if (!applied) throw new MaintenanceError(`${source}: a SQLite file, but not a backup of Switchboard`)
  await schemaStatus('sqlite', applied)
}

function readBackup(copy: string, source: string) {
  try {
    return read(copy, (db) => ({ faults: faultsOf(db, 'integrity_check'), applied: appliedMigrations(db) }))
  } catch (error) {
    throw new MaintenanceError(`${source}: damaged, or not a SQLite file`, error)
  }
}
