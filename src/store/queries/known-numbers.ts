// Who the network said a number is.
import type { Db, Row } from '../tables.ts'

export const findKnownNumber = (
  db: Db,
  instanceId: number,
  number: string,
): Promise<Row<'known_numbers'> | undefined> =>
  db
    .selectFrom('known_numbers')
    .selectAll()
    .where('instance_id', '=', instanceId)
    .where('number', '=', number)
    .executeTakeFirst()

export async function keepKnownNumber(
  db: Db,
  known: { instanceId: number; number: string; jid: string | null; now: number },
): Promise<void> {
  const { instanceId, number, jid, now } = known
  await db
    .insertInto('known_numbers')
    .values({ instance_id: instanceId, number, jid, asked_at: now })
    .onConflict((oc) => oc.columns(['instance_id', 'number']).doUpdateSet({ jid, asked_at: now }))
    .execute()
}
