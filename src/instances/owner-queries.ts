// Which node serves an instance. Only on PostgreSQL, where several nodes use one database: on SQLite no instance has an owner.
import { type RawBuilder, sql } from 'kysely'
import { UNTAKEN_INSTANCES } from '../store/engines/postgres/untaken.ts'
import type { Db } from '../store/tables.ts'

/** The nodes that may serve instances. All others are gone. */
const SERVING: RawBuilder<unknown> = sql`select id from nodes where status in ('live', 'draining')`

/** More than all nodes take at the same time, and few enough that a statement does not read a hundred thousand rows for sixteen. */
const LOOKED_AT = 2000

/**
 * Takes instances that no node serves, with a new fencing token, and frees their send lanes. Nodes that take at the same time get
 * different ones. A node that drains gets none.
 */
export async function takeInstances(db: Db, nodeId: number, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with recursive ${sql.raw(UNTAKEN_INSTANCES)}, chosen as (
      select id from instances
      where id in (select id from untaken limit ${limit + LOOKED_AT}) and deleted_at is null
        and (node_id is null or node_id not in (${SERVING}))
        and exists (select 1 from nodes where id = ${nodeId} and status = 'live')
      order by id limit ${limit} for no key update skip locked
    ), freed as (
      update lanes set locked_until = null, owner = null
      where instance_id in (select id from chosen) and locked_until is not null
    )
    update instances set node_id = ${nodeId}, fence = fence + 1 from chosen where instances.id = chosen.id
    returning instances.id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Takes one instance, unless another node serves it. True if it is now, or was already, served by this node. */
export async function takeInstance(db: Db, nodeId: number, instanceId: number): Promise<boolean> {
  const { rows } = await sql`
    update instances set node_id = ${nodeId}, fence = case when node_id = ${nodeId} then fence else fence + 1 end
    where id = ${instanceId} and deleted_at is null
      and (node_id is null or node_id = ${nodeId} or node_id not in (${SERVING}))
      and exists (select 1 from nodes where id = ${nodeId} and status = 'live')
    returning id`.execute(db)
  return rows.length === 1
}

/** The new fencing token rejects later writes of the node. */
export async function releaseInstances(db: Db, nodeId: number, instanceIds: number[]): Promise<void> {
  if (instanceIds.length === 0) return
  await db
    .updateTable('instances')
    .set((eb) => ({ node_id: null, fence: eb('fence', '+', 1) }))
    .where('id', 'in', instanceIds)
    .where('node_id', '=', nodeId)
    .execute()
}

/** Instances of a node that have nothing to send, those that were quiet the longest first. */
export async function listQuietInstances(db: Db, nodeId: number, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('instances')
    .select('id')
    .where('node_id', '=', nodeId)
    .where('deleted_at', 'is', null)
    .where('queued_count', '=', 0)
    .where('state', '=', 'open')
    .orderBy('updated_at')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

export interface InstanceOwner {
  nodeId: number
  /** Where the node answers calls of other nodes. */
  url: string | null
}

/** The node that serves an instance; undefined: none. Deleted instances count too: their session may still have to end. */
export async function findOwner(db: Db, instanceId: number): Promise<InstanceOwner | undefined> {
  const row = await db
    .selectFrom('instances')
    .innerJoin('nodes', 'nodes.id', 'instances.node_id')
    .select(['nodes.id', 'nodes.url'])
    .where('instances.id', '=', instanceId)
    .where('nodes.status', 'in', ['live', 'draining'])
    .executeTakeFirst()
  return row && { nodeId: row.id, url: row.url }
}

/** Locks the instance until the end of the transaction. False: another node serves it, and nothing may be written. */
export async function lockOwnInstance(tx: Db, nodeId: number, instanceId: number): Promise<boolean> {
  const row = await tx
    .selectFrom('instances')
    .select('id')
    .where('id', '=', instanceId)
    .where('node_id', '=', nodeId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row !== undefined
}

/** As `claimInstance`; undefined if another node serves the instance. */
export async function claimOwnInstance(
  db: Db,
  nodeId: number,
  instanceId: number,
): Promise<number | undefined> {
  const row = await db
    .updateTable('instances')
    .set((eb) => ({ fence: eb('fence', '+', 1) }))
    .where('id', '=', instanceId)
    .where('node_id', '=', nodeId)
    .returning('fence')
    .executeTakeFirst()
  return row?.fence
}
