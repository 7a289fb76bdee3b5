// Instances, and the names of those that are gone.
import type { Db, NewRow, Row, RowChange } from '../tables.ts'

export type InstanceRow = Row<'instances'>

export const listInstances = (db: Db, accountId: number): Promise<InstanceRow[]> =>
  db.selectFrom('instances').selectAll().where('account_id', '=', accountId).orderBy('id').execute()

/** By its unique name, and only within the account: another account's instance is as unknown as none. */
export const findInstance = (db: Db, accountId: number, apiName: string): Promise<InstanceRow | undefined> =>
  db
    .selectFrom('instances')
    .selectAll()
    .where('api_name', '=', apiName)
    .where('account_id', '=', accountId)
    .executeTakeFirst()

export const findInstanceById = (db: Db, id: number): Promise<InstanceRow | undefined> =>
  db.selectFrom('instances').selectAll().where('id', '=', id).executeTakeFirst()

export const insertInstance = (tx: Db, row: NewRow<'instances'>): Promise<InstanceRow> =>
  tx.insertInto('instances').values(row).returningAll().executeTakeFirstOrThrow()

export const updateInstance = (
  tx: Db,
  id: number,
  change: RowChange<'instances'>,
): Promise<InstanceRow | undefined> =>
  tx.updateTable('instances').set(change).where('id', '=', id).returningAll().executeTakeFirst()

/** Credentials go with the data key that sealed them. */
export async function deleteSessionKeys(tx: Db, instanceId: number): Promise<void> {
  await tx.deleteFrom('session_keys').where('instance_id', '=', instanceId).execute()
}

/** Removes the instance with all that belongs to it, and remembers its name. */
export async function deleteInstance(tx: Db, row: InstanceRow, deletedAt: number): Promise<void> {
  await tx
    .insertInto('deleted_instances')
    .values({
      account_id: row.account_id,
      api_name: row.api_name,
      instance_id: row.id,
      display_name: row.display_name,
      last_state: row.state,
      deleted_at: deletedAt,
    })
    .execute()
  await tx.deleteFrom('instances').where('id', '=', row.id).execute()
}

export const findDeletedInstance = (
  db: Db,
  accountId: number,
  apiName: string,
): Promise<Row<'deleted_instances'> | undefined> =>
  db
    .selectFrom('deleted_instances')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('api_name', '=', apiName)
    .executeTakeFirst()
