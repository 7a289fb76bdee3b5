// When the next lane becomes due. Claiming and settling are the store's hot operations.
import type { Db } from '../tables.ts'

/** The earliest moment after `now` at which a free lane of an open instance is due; undefined: none is. */
export async function nextDueAt(db: Db, now: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('lanes')
    .innerJoin('instances', 'instances.id', 'lanes.instance_id')
    .select('lanes.due_at')
    .where('lanes.kind', '=', 'send')
    .where('lanes.due_at', '>', now)
    .where('instances.state', '=', 'open')
    .orderBy('lanes.due_at')
    .limit(1)
    .executeTakeFirst()
  return row?.due_at ?? undefined
}
