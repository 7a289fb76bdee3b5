// Phone calls of the last day.
import type { Db, NewRow, Row } from '../store/tables.ts'

export const findCall = (db: Db, instanceId: number, id: string): Promise<Row<'calls'> | undefined> =>
  db
    .selectFrom('calls')
    .selectAll()
    .where('instance_id', '=', instanceId)
    .where('id', '=', id)
    .executeTakeFirst()

export async function upsertCall(tx: Db, row: NewRow<'calls'>): Promise<void> {
  await tx
    .insertInto('calls')
    .values(row)
    .onConflict((oc) => oc.columns(['instance_id', 'id']).doUpdateSet(row))
    .execute()
}
