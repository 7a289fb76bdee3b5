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

/** Under which names the network has told the account's instances of this number. */
export async function jidsOfNumber(db: Db, accountId: number, number: string): Promise<string[]> {
  const rows = await db
    .selectFrom('known_numbers')
    .select('jid')
    .distinct()
    .where('instance_id', 'in', (eb) =>
      eb.selectFrom('instances').select('id').where('account_id', '=', accountId),
    )
    .where('number', '=', number)
    .execute()
  return rows.flatMap(({ jid }) => jid ?? [])
}
