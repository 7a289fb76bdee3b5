// Numbers that were looked up on the network, and its answers.
import type { Db, Row } from '../tables.ts'
import { chunksOf } from './chunks.ts'

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

export async function upsertKnownNumber(
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

/** Deletes the answers that these numbers are not registered. Answers with an address stay. */
export async function clearUnknownNumbers(
  db: Db,
  instanceId: number,
  numbers: readonly string[],
): Promise<void> {
  for (const some of chunksOf(numbers))
    await db
      .deleteFrom('known_numbers')
      .where('instance_id', '=', instanceId)
      .where('number', 'in', some)
      .where('jid', 'is', null)
      .execute()
}

export async function deleteKnownNumber(db: Db, instanceId: number, number: string): Promise<void> {
  await db
    .deleteFrom('known_numbers')
    .where('instance_id', '=', instanceId)
    .where('number', '=', number)
    .execute()
}

/** The identifiers that the network gave the account's instances for this number. */
export async function findJidsOfNumber(db: Db, accountId: number, number: string): Promise<string[]> {
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
