// One-time pre-keys that devices have uploaded. Each is handed out once.
import type { PreKey } from '../model/key-bundle.ts'
import type { Database } from './database.ts'

export function addPreKeys(database: Database, number: string, device: number, keys: PreKey[]): void {
  for (const key of keys)
    database.write(
      'INSERT OR REPLACE INTO pre_keys (number, device, key_id, value) VALUES (?, ?, ?, ?)',
      number,
      device,
      key.id,
      key.value,
    )
}

export function takePreKey(database: Database, number: string, device: number): PreKey | undefined {
  const [key] = database.rows<PreKey>(
    'SELECT key_id AS id, value FROM pre_keys WHERE number = ? AND device = ? ORDER BY key_id LIMIT 1',
    number,
    device,
  )
  if (key)
    database.write(
      'DELETE FROM pre_keys WHERE number = ? AND device = ? AND key_id = ?',
      number,
      device,
      key.id,
    )
  return key
}

export const listPreKeys = (database: Database, number: string, device: number): PreKey[] =>
  database.rows<PreKey>(
    'SELECT key_id AS id, value FROM pre_keys WHERE number = ? AND device = ? ORDER BY key_id',
    number,
    device,
  )

export function countPreKeys(database: Database, number: string, device: number): number {
  const [row] = database.rows<{ count: number }>(
    'SELECT count(*) AS count FROM pre_keys WHERE number = ? AND device = ?',
    number,
    device,
  )
  return row?.count ?? 0
}
