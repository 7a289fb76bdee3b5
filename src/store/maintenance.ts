// The port for maintenance: what the command line does with a database, even while a server uses it.

import type { LossRecord } from '../instances/restore-queries.ts'
import type { StoredVersion, VersionNetwork } from '../instances/settings-queries.ts'
import { type AppliedMigration, type Migration, pendingMigrations, readMigrations } from './migrations.ts'
import type { StoredProxy } from './stored-proxies.ts'

export interface MigrationRecord extends AppliedMigration {
  appliedAt: number
}

/** A process that uses the database. */
export interface NodeRecord {
  id: number
  name: string
  /** Where other nodes reach it; null: it works alone. */
  url: string | null
  version: string
  status: 'standby' | 'live' | 'draining'
  /** Until its lease ends, unless it is renewed. */
  secondsLeft: number
}

/** What limits the connections of all nodes together. */
export interface ConnectionLimits {
  /** A pooler stands in between: its own settings decide how many connections there are. */
  isPooled: boolean
  /** How many connections the server accepts from the gateway's role. */
  available: number
  /** How many one node may use, its lease included. */
  perNode: number
  /** The limit of a statement outside a transaction that the role has; 0: none. */
  statementTimeoutMs: number
}

export interface SchemaStatus {
  applied: MigrationRecord[]
  pending: Migration[]
}

export interface Maintenance {
  readonly engine: 'sqlite' | 'postgres'

  /** The applied and the pending migrations. Undefined: there is no data yet. Throws if this program must not use the schema. */
  schema(): Promise<SchemaStatus | undefined>

  /** Applies pending migrations. On SQLite it refuses while a server uses the directory. */
  migrate(): Promise<void>

  /** Writes a snapshot to a new file. Resolves when the file is on the disk. */
  backup(file: string): Promise<void>

  /** Restores a backup into an empty database and marks it as restored, both or neither. Refuses if data exists. */
  restore(file: string): Promise<void>

  /** When the database was restored; undefined: it has no mark, or there is no data yet. */
  restoredAt(): Promise<number | undefined>

  /** Removes the mark and the ratchets of the backup, both or neither, so that a server starts its sessions. */
  clearRestoreMark(): Promise<void>

  /** Faults that the engine finds in its own files. */
  integrityFaults(): Promise<string[]>

  /** The processes that use the database; none on SQLite. */
  nodes(): Promise<NodeRecord[]>

  /** The last time that a node found that the database had lost commits. Undefined: never. */
  commitsLost(): Promise<LossRecord | undefined>

  /** Undefined on SQLite, which has no connections. */
  connectionLimits(): Promise<ConnectionLimits | undefined>

  /** Commits a small write, as the server's own check does. */
  checkWrite(): Promise<void>

  /** Writes, reads and removes a test file among the rows of PostgreSQL. False: there is no table for it, as on SQLite. */
  checkFileRows(): Promise<boolean>

  /** Whether this master key opens the data. Undefined: nothing was encrypted yet. */
  opensWith(masterKey: Uint8Array): Promise<boolean | undefined>

  /** The proxies of all instances, opened with the master key. */
  proxies(masterKey: Uint8Array): Promise<StoredProxy[]>

  /** The version of the client that was last read from the page of this network; undefined: none yet. */
  clientVersion(network: VersionNetwork): Promise<StoredVersion | undefined>

  /** The time of the database's clock, in milliseconds. */
  now(): Promise<number>
}

/** A refusal with a text that tells the operator what to do. */
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
