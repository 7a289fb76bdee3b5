// Settings of instances. An instance without a row has the defaults.
import type { Cell } from '../store/seal.ts'
import type { Db, NewRow, Row } from '../store/tables.ts'

/** The proxy is sealed with the key of the account, which outlives a log-out of the instance. */
export const proxyCell = (instanceId: number): Cell => ({
  table: 'instance_settings',
  column: 'sealed_proxy',
  row: instanceId,
})

export const findSettings = (db: Db, instanceId: number): Promise<Row<'instance_settings'> | undefined> =>
  db.selectFrom('instance_settings').selectAll().where('instance_id', '=', instanceId).executeTakeFirst()

export async function upsertSettings(tx: Db, row: NewRow<'instance_settings'>): Promise<void> {
  await tx
    .insertInto('instance_settings')
    .values(row)
    .onConflict((oc) => oc.column('instance_id').doUpdateSet(row))
    .execute()
}

/** The settings that were changed after a time: the instance, and when. */
export const listChangedSettings = (
  db: Db,
  changedAfter: number,
): Promise<Pick<Row<'instance_settings'>, 'instance_id' | 'updated_at'>[]> =>
  db
    .selectFrom('instance_settings')
    .select(['instance_id', 'updated_at'])
    .where('updated_at', '>', changedAfter)
    .execute()
