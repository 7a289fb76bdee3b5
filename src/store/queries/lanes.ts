// When the next lane becomes due, and lanes whose claim was lost. Claiming and settling are the store's hot operations.
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

/** What the instance's chats wait for has come: whatever is to be tried later is due now. */
export async function hurryLanes(db: Db, instanceId: number, now: number): Promise<void> {
  await db
    .updateTable('lanes')
    .set({ due_at: now })
    .where('instance_id', '=', instanceId)
    .where('kind', '=', 'send')
    .where('due_at', '>', now)
    .execute()
}

/** Frees what an owner has locked, but for the lanes that it works on. */
export async function freeLanesOf(db: Db, owner: string, inWork: string[]): Promise<void> {
  const held = await db
    .selectFrom('lanes')
    .select('key')
    .where('owner', '=', owner)
    .where('locked_until', 'is not', null)
    .execute()
  const working = new Set(inWork)
  const lost = held.map(({ key }) => key).filter((key) => !working.has(key))
  if (lost.length === 0) return
  await db.updateTable('lanes').set({ locked_until: null, owner: null }).where('key', 'in', lost).execute()
}
