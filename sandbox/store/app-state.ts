// App-state collections: the encrypted patches that the devices of an account share.
import type { Database } from './database.ts'

export interface AppStatePatch {
  version: number
  patch: Uint8Array
}

export function appStateVersion(database: Database, number: string, collection: string): number {
  const [row] = database.rows<{ version: number | null }>(
    'SELECT max(version) AS version FROM app_state WHERE number = ? AND collection = ?',
    number,
    collection,
  )
  return row?.version ?? 0
}

export function appendPatch(
  database: Database,
  number: string,
  collection: string,
  entry: AppStatePatch,
): void {
  database.write(
    'INSERT INTO app_state (number, collection, version, patch) VALUES (?, ?, ?, ?)',
    number,
    collection,
    entry.version,
    entry.patch,
  )
}

export function patchesAfter(
  database: Database,
  number: string,
  collection: string,
  version: number,
): AppStatePatch[] {
  return database.rows<AppStatePatch>(
    'SELECT version, patch FROM app_state WHERE number = ? AND collection = ? AND version > ? ORDER BY version',
    number,
    collection,
    version,
  )
}
