// The port of the store's upkeep: what the command line asks of a database that a server may be working on meanwhile.
import { type AppliedMigration, type Migration, pendingMigrations, readMigrations } from './migrations.ts'

export interface MigrationRecord extends AppliedMigration {
  appliedAt: number
}

export interface SchemaStatus {
  applied: MigrationRecord[]
  pending: Migration[]
}

export interface Maintenance {
  readonly engine: 'sqlite' | 'postgres'

  /** Which migrations are applied, which are missing. Undefined: there is no data yet. Throws on a newer schema. */
  schema(): Promise<SchemaStatus | undefined>

  /** Applies what is pending. On SQLite it refuses while a server holds the directory. */
  migrate(): Promise<void>

  /** Writes everything that was committed when it began to a new file, and returns when that is on the disk. */
  backup(file: string): Promise<void>

  /** Fills an empty place from a backup; refuses where data exists. */
  restore(file: string): Promise<void>

  /** What the engine finds wrong in its own structure. */
  integrityFaults(): Promise<string[]>

  /** Commits a small write, as the server's own check does. */
  checkWrite(): Promise<void>

  /** Whether the data opens with this master key. Undefined: nothing was encrypted yet. */
  opensWith(masterKey: Uint8Array): Promise<boolean | undefined>

  /** The time as the database sees it, in milliseconds. */
  now(): Promise<number>
}

/** A refusal that the operator can act on. */
export class MaintenanceError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'MaintenanceError'
  }
}

export async function schemaStatus(
  engine: Maintenance['engine'],
  applied: MigrationRecord[],
): Promise<SchemaStatus> {
  return { applied, pending: pendingMigrations(await readMigrations(engine), applied) }
}

export const APPLIED_MIGRATIONS =
  'select version, name, checksum, applied_at as "appliedAt" from schema_migrations order by version'
