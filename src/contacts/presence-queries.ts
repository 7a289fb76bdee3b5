// People whose presence an instance follows.
import type { Db, NewRow, Row } from '../store/tables.ts'

export type SubscriptionRow = Row<'presence_subscriptions'>

/** In the order of their identifiers. */
export const listSubscriptions = (db: Db, instanceId: number): Promise<SubscriptionRow[]> =>
  db
    .selectFrom('presence_subscriptions')
    .selectAll()
    .where('instance_id', '=', instanceId)
    .orderBy('jid')
    .execute()

/** By any identifier of the person. */
export const findSubscription = (
  db: Db,
  instanceId: number,
  names: readonly string[],
): Promise<SubscriptionRow | undefined> =>
  db
    .selectFrom('presence_subscriptions')
    .selectAll()
    .where('instance_id', '=', instanceId)
    .where((eb) => eb.or([eb('jid', 'in', names), eb('lid', 'in', names)]))
    .executeTakeFirst()

/** Keeps the presence of a person who is followed already. */
export async function addSubscription(tx: Db, row: NewRow<'presence_subscriptions'>): Promise<void> {
  await tx
    .insertInto('presence_subscriptions')
    .values(row)
    .onConflict((oc) => oc.columns(['instance_id', 'jid']).doNothing())
    .execute()
}

export async function setLid(tx: Db, instanceId: number, jid: string, lid: string | null): Promise<void> {
  await tx
    .updateTable('presence_subscriptions')
    .set({ lid })
    .where('instance_id', '=', instanceId)
    .where('jid', '=', jid)
    .execute()
}

export async function hasSubscriptions(db: Db, instanceId: number): Promise<boolean> {
  const row = await db
    .selectFrom('presence_subscriptions')
    .select('jid')
    .where('instance_id', '=', instanceId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function recordPresence(
  tx: Db,
  { instance_id, jid }: Pick<SubscriptionRow, 'instance_id' | 'jid'>,
  change: Pick<SubscriptionRow, 'presence' | 'last_seen' | 'updated_at'>,
): Promise<void> {
  await tx
    .updateTable('presence_subscriptions')
    .set(change)
    .where('instance_id', '=', instance_id)
    .where('jid', '=', jid)
    .execute()
}

/** All subscriptions of the instance, or those of these people. */
export async function deleteSubscriptions(
  tx: Db,
  instanceId: number,
  jids?: readonly string[],
): Promise<void> {
  if (jids?.length === 0) return
  await tx
    .deleteFrom('presence_subscriptions')
    .where('instance_id', '=', instanceId)
    .$if(jids !== undefined, (query) => query.where('jid', 'in', jids ?? []))
    .execute()
}
