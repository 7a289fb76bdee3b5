// Numbers that were looked up on the network, and its answers.

import { chunksOf } from '../store/chunks.ts'
import { type Db, flag, type Row } from '../store/tables.ts'

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

export interface LookedUpNumber {
  instanceId: number
  number: string
  /** Null: the number is not registered. */
  jid: string | null
  /** Whether the network gave the identifier for this very number. */
  isConfirmed?: boolean | undefined
  now: number
}

export async function upsertKnownNumber(db: Db, known: LookedUpNumber): Promise<void> {
  const { instanceId, number, jid, isConfirmed = false, now } = known
  const answer = { jid, is_confirmed: flag(isConfirmed), asked_at: now }
  await db
    .insertInto('known_numbers')
    .values({ instance_id: instanceId, number, ...answer })
    .onConflict((oc) => oc.columns(['instance_id', 'number']).doUpdateSet(answer))
    .execute()
}

/** Numbers for which the network itself has named another identifier: both are one account. */
export async function listConfirmedForms(
  db: Db,
  instanceIds: readonly number[],
  numbers: readonly string[],
): Promise<{ number: string; jid: string }[]> {
  const found: { number: string; jid: string }[] = []
  if (instanceIds.length === 0) return found
  for (const some of chunksOf(numbers)) {
    const rows = await db
      .selectFrom('known_numbers')
      .select(['number', 'jid'])
      .distinct()
      .where('instance_id', 'in', [...instanceIds])
      .where('number', 'in', some)
      .where('is_confirmed', '=', 1)
      .execute()
    for (const { number, jid } of rows) if (jid !== null) found.push({ number, jid })
  }
  return found
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
