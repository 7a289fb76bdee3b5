// The Signal keys of simulated phones: sessions, sender keys, pre-keys.
import type { Database } from './database.ts'
import { fromDocument, toDocument } from './documents.ts'

export function readPhoneKey(database: Database, number: string, type: string, id: string): unknown {
  const [row] = database.rows<{ value: string }>(
    'SELECT value FROM phone_keys WHERE number = ? AND type = ? AND id = ?',
    number,
    type,
    id,
  )
  return row && fromDocument(row.value)
}

/** Writes a key; null removes it. */
export function writePhoneKey(
  database: Database,
  number: string,
  type: string,
  id: string,
  value: unknown,
): void {
  if (value === null || value === undefined)
    database.write('DELETE FROM phone_keys WHERE number = ? AND type = ? AND id = ?', number, type, id)
  else
    database.write(
      'INSERT OR REPLACE INTO phone_keys (number, type, id, value) VALUES (?, ?, ?, ?)',
      number,
      type,
      id,
      toDocument(value),
    )
}
