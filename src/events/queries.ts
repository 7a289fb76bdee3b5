// The event log as it is read, forwards and backwards from a position.
import type { Db, Row } from '../store/tables.ts'

export type EventRow = Row<'events'> & { display_name: string; api_name: string }

const withInstance = (db: Db) =>
  db
    .selectFrom('events')
    .innerJoin('instances', 'instances.id', 'events.instance_id')
    .selectAll('events')
    .select(['instances.display_name', 'instances.api_name'])

export const listEvents = (
  db: Db,
  { accountId, after, limit }: { accountId: number; after: number; limit: number },
): Promise<EventRow[]> =>
  withInstance(db)
    .where('events.account_id', '=', accountId)
    .where('events.position', '>', after)
    .orderBy('events.position')
    .limit(limit)
    .execute()

/** Within an instance, sequences and positions have the same order, and the index on sequences is smaller. */
export const listInstanceEvents = (
  db: Db,
  { instanceId, after, limit }: { instanceId: number; after: number; limit: number },
): Promise<EventRow[]> =>
  withInstance(db)
    .where('events.instance_id', '=', instanceId)
    .where('events.sequence', '>', after)
    .orderBy('events.sequence')
    .limit(limit)
    .execute()

/** Without `before`, from the end of the log. */
export async function listEventsBefore(
  db: Db,
  { accountId, before, limit }: { accountId: number; before: number | undefined; limit: number },
): Promise<EventRow[]> {
  const query = withInstance(db).where('events.account_id', '=', accountId)
  return (before === undefined ? query : query.where('events.position', '<', before))
    .orderBy('events.position', 'desc')
    .limit(limit)
    .execute()
}

export async function listInstanceEventsBefore(
  db: Db,
  { instanceId, before, limit }: { instanceId: number; before: number | undefined; limit: number },
): Promise<EventRow[]> {
  const query = withInstance(db).where('events.instance_id', '=', instanceId)
  return (before === undefined ? query : query.where('events.sequence', '<', before))
    .orderBy('events.sequence', 'desc')
    .limit(limit)
    .execute()
}

/** The position of the account's last event; 0 before the first. */
export async function lastPosition(db: Db, accountId: number): Promise<number> {
  const row = await db
    .selectFrom('accounts')
    .select('event_position')
    .where('id', '=', accountId)
    .executeTakeFirst()
  return row?.event_position ?? 0
}

/** The last sequence of an instance up to a position of its account. */
export async function sequenceAt(
  db: Db,
  { accountId, instanceId, position }: { accountId: number; instanceId: number; position: number },
): Promise<number> {
  const next = await db
    .selectFrom('events')
    .select('sequence')
    .where('account_id', '=', accountId)
    .where('position', '>', position)
    .where('instance_id', '=', instanceId)
    .orderBy('position')
    .limit(1)
    .executeTakeFirst()
  if (next) return next.sequence - 1
  const instance = await db
    .selectFrom('instances')
    .select('event_sequence')
    .where('id', '=', instanceId)
    .executeTakeFirst()
  return instance?.event_sequence ?? 0
}

/** The account's position of an instance's event. If that event was deleted, the position before the next one that exists. */
export async function positionAt(
  db: Db,
  { accountId, instanceId, sequence }: { accountId: number; instanceId: number; sequence: number },
): Promise<number> {
  const next = await db
    .selectFrom('events')
    .select('position')
    .where('instance_id', '=', instanceId)
    .where('sequence', '>', sequence)
    .orderBy('sequence')
    .limit(1)
    .executeTakeFirst()
  return next ? next.position - 1 : lastPosition(db, accountId)
}
