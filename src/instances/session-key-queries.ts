// Session keys and arrivals as they are read. Saving them is a hot operation.
import type { Cell } from '../store/seal.ts'
import type { Db, Row } from '../store/tables.ts'

/** Where a key is stored, which its encryption is bound to. */
export const sessionKeyCell = (instanceId: number, kind: string, name: string): Cell => ({
  table: 'session_keys',
  column: 'sealed',
  row: `${instanceId}/${kind}/${name}`,
})

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

/** Rows per statement, far below the limit of parameters. */
const INSERT_SIZE = 500

/** The first keys of an instance. Of two with one name, the first counts. */
export async function insertSessionKeys(
  tx: Db,
  instanceId: number,
  keys: readonly Pick<Row<'session_keys'>, 'kind' | 'name' | 'sealed'>[],
): Promise<void> {
  for (let start = 0; start < keys.length; start += INSERT_SIZE)
    await tx
      .insertInto('session_keys')
      .values(
        keys
          .slice(start, start + INSERT_SIZE)
          .map(({ kind, name, sealed }) => ({ instance_id: instanceId, kind, name, sealed })),
      )
      .onConflict((oc) => oc.columns(['instance_id', 'kind', 'name']).doNothing())
      .execute()
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
