// Due times of lanes, and locks to release. Claiming and settling are hot operations.

import { lockInstance } from '../store/queries/locks.ts'
import type { Db, Transactional } from '../store/tables.ts'

/** When the next lane of an open instance is due, after `now`, of all or of those that a node serves; undefined: there is none. */
export async function nextDueAt(db: Db, now: number, nodeId?: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('lanes')
    .innerJoin('instances', 'instances.id', 'lanes.instance_id')
    .select('lanes.due_at')
    .where('lanes.due_at', '>', now)
    .where('instances.state', '=', 'open')
    .$if(nodeId !== undefined, (query) => query.where('instances.node_id', '=', nodeId as number))
    .orderBy('lanes.due_at')
    .limit(1)
    .executeTakeFirst()
  return row?.due_at ?? undefined
}

/** Since when the lane of an open instance that has waited longest is due; undefined: none is due. */
export async function oldestDueAt(db: Db, now: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('instances')
    .innerJoin('lanes', 'lanes.instance_id', 'instances.id')
    .select((eb) => eb.fn.min('lanes.due_at').as('due_at'))
    .where('instances.state', '=', 'open')
    .where('instances.deleted_at', 'is', null)
    .where('lanes.due_at', '<=', now)
    .executeTakeFirst()
  return row?.due_at ?? undefined
}

/** Makes all waiting lanes of an instance due now: what their retries were waiting for has happened. */
export async function makeLanesDue(store: Transactional, instanceId: number, now: number): Promise<void> {
  await store.transaction(async (tx) => {
    await lockInstance(tx, instanceId)
    await tx
      .updateTable('lanes')
      .set({ due_at: now })
      .where('instance_id', '=', instanceId)
      .where('due_at', '>', now)
      .execute()
  })
}

/** Releases the lanes that an owner has locked, except those that it works on. */
export async function freeLanesOf(store: Transactional, owner: string, inWork: string[]): Promise<void> {
  const locked = await store.db
    .selectFrom('lanes')
    .select(['key', 'instance_id'])
    .where('owner', '=', owner)
    .where('locked_until', 'is not', null)
    .execute()
  const working = new Set(inWork)
  const lost = locked.filter(({ key }) => !working.has(key))
  for (const [instanceId, own] of Map.groupBy(lost, (lane) => lane.instance_id)) {
    await store.transaction(async (tx) => {
      await lockInstance(tx, instanceId)
      await tx
        .updateTable('lanes')
        .set({ locked_until: null, owner: null })
        .where(
          'key',
          'in',
          own.map(({ key }) => key),
        )
        .where('owner', '=', owner)
        .execute()
    })
  }
}
