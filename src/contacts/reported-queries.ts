// What the network has reported about people and groups.
import { GROUP_JID_PATTERN } from '../network/jid.ts'
import { chunksOf } from '../store/chunks.ts'
import type { Db, NewRow, Row } from '../store/tables.ts'
import { deletePicture } from './picture-queries.ts'

/** The hidden identifier that the network reported last for a number; null: none yet. */
export async function findLid(db: Db, instanceId: number, phone: string): Promise<string | null> {
  const row = await db
    .selectFrom('addresses')
    .select('lid')
    .where('instance_id', '=', instanceId)
    .where('phone', '=', phone)
    .orderBy('updated_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.lid ?? null
}

/** The number of a hidden identifier; null: the network has not reported it yet. */
export async function findPhone(db: Db, instanceId: number, lid: string): Promise<string | null> {
  const row = await db
    .selectFrom('addresses')
    .select('phone')
    .where('instance_id', '=', instanceId)
    .where('lid', '=', lid)
    .executeTakeFirst()
  return row?.phone ?? null
}

/** The same for many of them: the known numbers by hidden identifier. */
export async function findPhones(
  db: Db,
  instanceId: number,
  lids: readonly string[],
): Promise<Map<string, string>> {
  const phones = new Map<string, string>()
  for (const some of chunksOf(lids)) {
    const rows = await db
      .selectFrom('addresses')
      .select(['lid', 'phone'])
      .where('instance_id', '=', instanceId)
      .where('lid', 'in', some)
      .execute()
    for (const { lid, phone } of rows) phones.set(lid, phone)
  }
  return phones
}

/** The numbers that the instances of an account know for a hidden identifier. */
export async function findPhonesOfLid(db: Db, accountId: number, lid: string): Promise<string[]> {
  const rows = await db
    .selectFrom('addresses')
    .innerJoin('instances', 'instances.id', 'addresses.instance_id')
    .select('addresses.phone')
    .distinct()
    .where('instances.account_id', '=', accountId)
    .where('addresses.lid', '=', lid)
    .execute()
  return rows.map(({ phone }) => phone)
}

/** The stored groups of an instance: all, or those with these identifiers. */
export const findGroups = (db: Db, instanceId: number, jids?: string[]): Promise<Row<'groups'>[]> =>
  db
    .selectFrom('groups')
    .selectAll()
    .where('instance_id', '=', instanceId)
    .$if(jids !== undefined, (query) => query.where('jid', 'in', jids ?? []))
    .execute()

export async function upsertGroup(tx: Db, row: NewRow<'groups'>): Promise<void> {
  await tx
    .insertInto('groups')
    .values(row)
    .onConflict((oc) => oc.columns(['instance_id', 'jid']).doUpdateSet(row))
    .execute()
  await tx
    .updateTable('chats')
    .set({ disappearing_seconds: row.disappearing_seconds ?? 0 })
    .where('instance_id', '=', row.instance_id)
    .where('jid', '=', row.jid)
    .where('disappearing_seconds', '!=', row.disappearing_seconds ?? 0)
    .execute()
}

/** Deletes its picture as well. */
export async function deleteGroup(tx: Db, instanceId: number, jid: string): Promise<void> {
  await tx.deleteFrom('groups').where('instance_id', '=', instanceId).where('jid', '=', jid).execute()
  await deletePicture(tx, { instanceId, jid })
}

export async function deleteOtherGroups(tx: Db, instanceId: number, jids: string[]): Promise<void> {
  await tx
    .deleteFrom('groups')
    .where('instance_id', '=', instanceId)
    .$if(jids.length > 0, (query) => query.where('jid', 'not in', jids))
    .execute()
  await tx
    .deleteFrom('pictures')
    .where('instance_id', '=', instanceId)
    .where('jid', 'like', GROUP_JID_PATTERN)
    .$if(jids.length > 0, (query) => query.where('jid', 'not in', jids))
    .execute()
}
