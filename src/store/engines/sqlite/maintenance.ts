// Maintenance of a SQLite file, over connections that are separate from those of a running server.

import { existsSync } from 'node:fs'
import { chmod, constants, copyFile, rename, rm } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { FORGET_RATCHETS, RESTORE_MARK } from '../../../instances/restore-queries.ts'
import { parseVersionFact, versionFact } from '../../../instances/settings-queries.ts'
import { wallClock } from '../../../kernel/async/clock.ts'
import { requireBackupOf, syncPath, writeBackupFile } from '../../backup-file.ts'
import { type Maintenance, MaintenanceError, type MigrationRecord, schemaStatus } from '../../maintenance.ts'
import { APPLIED_MIGRATIONS } from '../../migrations.ts'
import { openProxies, PROXIES, type ProxyRow } from '../../stored-proxies.ts'
import { isMasterKeyOf, MASTER_KEY_MARK } from '../../vault.ts'
import { lockDirectory } from './directory-lock.ts'
import { databaseFile, openSqliteStore } from './open.ts'

/** How long to wait for the server's writer. */
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
      // A snapshot: the server can continue to write meanwhile.
      await writeBackupFile(target, async (partial) =>
        read(file, (db) => void db.prepare('vacuum into ?').run(partial)),
      )
    },
    restore: (source) => restore(directory, file, source),
    ...marksOf(file),
    async integrityFaults() {
      return read(file, (db) => faultsOf(db, 'quick_check'))
    },
    // SQLite has no clock of its own.
    nodes: async () => [],
    connectionLimits: async () => undefined,
    commitsLost: async () => undefined,
    checkFileRows: async () => false,
    proxies: async (masterKey) =>
      openProxies(
        masterKey,
        read(file, (db) => db.prepare(PROXIES).all() as unknown as ProxyRow[]),
      ),
    now: async () => wallClock(),
  }
}

/** Marks in the table of facts. */
const marksOf = (
  file: string,
): Pick<Maintenance, 'restoredAt' | 'clearRestoreMark' | 'checkWrite' | 'opensWith' | 'clientVersion'> => ({
  async restoredAt() {
    if (!existsSync(file)) return undefined
    const mark = read(file, (db) => appliedMigrations(db)?.length && factOf(db, RESTORE_MARK))
    return mark ? Number(mark) : undefined
  },
  async clearRestoreMark() {
    withConnection(file, false, (db) => {
      db.exec('begin immediate')
      const { changes } = db.prepare('delete from facts where name = ?').run(RESTORE_MARK)
      if (changes > 0) for (const statement of FORGET_RATCHETS.sqlite) db.exec(statement)
      db.exec('commit')
    })
  },
  clientVersion: async (network) => parseVersionFact(read(file, (db) => factOf(db, versionFact(network)))),
  async checkWrite() {
    withConnection(file, false, (db) => setFact(db, 'checked_at', String(wallClock())))
  },
  async opensWith(masterKey) {
    const mark = read(file, (db) => factOf(db, MASTER_KEY_MARK))
    return mark === undefined ? undefined : isMasterKeyOf(mark, masterKey)
  },
})

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

function factOf(db: DatabaseSync, name: string): string | undefined {
  const row = db.prepare('select value from facts where name = ?').get(name)
  return row && String(row.value)
}

function setFact(db: DatabaseSync, name: string, value: string): void {
  db.prepare(
    'insert into facts (name, value) values (?, ?) on conflict (name) do update set value = excluded.value',
  ).run(name, value)
}

export function appliedMigrations(db: DatabaseSync): MigrationRecord[] | undefined {
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
  // Locked to the end, so that no server starts on an incomplete file.
  const unlock = lockDirectory(directory)
  const partial = `${file}.partial`
  try {
    for (const existing of [file, `${file}-wal`]) {
      if (existsSync(existing))
        throw new MaintenanceError(
          `${existing} exists: a backup can only be restored into an empty data directory`,
        )
    }
    await copyFile(source, partial, constants.COPYFILE_FICLONE)
    await chmod(partial, 0o600)
    await requireSound(partial, source)
    // Before the file is renamed, so that no server can start on a copy without the mark.
    withConnection(partial, false, (db) => setFact(db, RESTORE_MARK, String(wallClock())))
    await syncPath(partial)
    await rename(partial, file)
    await syncPath(directory)
  } finally {
    // A copy that was made by hand may be in WAL mode, and reading it leaves these files.
    for (const left of ['', '-wal', '-shm', '-journal']) await rm(partial + left, { force: true })
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
