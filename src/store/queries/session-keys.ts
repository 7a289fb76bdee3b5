// Session keys and arrivals as they are read. Saving them is a hot operation.
import type { Db, Row } from '../tables.ts'

/** Names per query. SQLite takes at most 32,766 parameters, and a pairing reads hundreds of keys at once. */
const READ_SIZE = 500

export async function readSessionKeys(
  db: Db,
  instanceId: number,
  kind: string,
  names: string[],
): Promise<Pick<Row<'session_keys'>, 'name' | 'sealed'>[]> {
  const found: Pick<Row<'session_keys'>, 'name' | 'sealed'>[] = []
  for (let start = 0; start < names.length; start += READ_SIZE) {
    const rows = await db
      .selectFrom('session_keys')
      .select(['name', 'sealed'])
      .where('instance_id', '=', instanceId)
      .where('kind', '=', kind)
      .where('name', 'in', names.slice(start, start + READ_SIZE))
      .execute()
    found.push(...rows)
  }
  return found
}

/** Whether the instance has credentials, complete or not. */
export async function hasCredentials(db: Db, instanceId: number): Promise<boolean> {
  const row = await db
    .selectFrom('session_keys')
    .select('name')
    .where('instance_id', '=', instanceId)
    .where('kind', '=', 'creds')
    .executeTakeFirst()
  return row !== undefined
}

export const findArrival = (db: Db, instanceId: number, name: string): Promise<Row<'inbox'> | undefined> =>
  db
    .selectFrom('inbox')
    .selectAll()
    .where('instance_id', '=', instanceId)
    .where('name', '=', name)
    .executeTakeFirst()

/** Arrivals that were not processed yet, in the order of their arrival. */
export const listWaitingArrivals = (db: Db, instanceId: number): Promise<Row<'inbox'>[]> =>
  db
    .selectFrom('inbox')
    .selectAll()
    .where('instance_id', '=', instanceId)
    .where('processed_at', 'is', null)
    .orderBy('received_at')
    .orderBy('name')
    .execute()
