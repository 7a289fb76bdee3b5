// The nodes on the database, as the operator sees them. Only on PostgreSQL: on SQLite there is one process, and no row for it.
import { type RawBuilder, sql } from 'kysely'
import { UNTAKEN_INSTANCES } from '../store/engines/postgres/untaken.ts'
import type { Db } from '../store/tables.ts'

export interface NodeRow {
  id: number
  name: string
  url: string | null
  status: 'standby' | 'live' | 'draining' | 'dead'
  version: string
  instances: number
  startedAt: number
  /** Until its lease ends, on the clock of the database. */
  leaseMsLeft: number
  endedAt: number | null
  endedBy: string | null
}

const NOW: RawBuilder<number> = sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`
const SHOW_ENDED_MS = 86_400_000
/** A process that fails at each start leaves a row each time. */
const MAX_ENDED = 100

/** Working nodes first, then standbys, then those that ended in the last day. A standby whose lease has ended is gone. */
export async function listNodes(db: Db): Promise<NodeRow[]> {
  const { rows } = await sql<NodeRow>`
    with moment as (select ${NOW} as now), seen as (
      select nodes.*, lease_until - now as left_ms, status = 'standby' and lease_until < now as is_lost, now from nodes, moment
    )
    select id, name, url, version, instances, case when is_lost then 'dead' else status end as status,
      started_at as "startedAt", left_ms as "leaseMsLeft",
      case when is_lost then lease_until else ended_at end as "endedAt", ended_by as "endedBy"
    from seen where status <> 'dead' or ended_at > now - ${SHOW_ENDED_MS}
    order by case when is_lost or status = 'dead' then 2 when status = 'standby' then 1 else 0 end,
      "endedAt" desc nulls first, started_at, id
    limit (select count(*) from nodes where status <> 'dead') + ${MAX_ENDED}`.execute(db)
  return rows
}

/** Until the end of the transaction no working node changes its status. */
export async function lockWorkingNodes(tx: Db): Promise<void> {
  await tx
    .selectFrom('nodes')
    .select('id')
    .where('status', 'in', ['live', 'draining'])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

export async function setNodeStatus(tx: Db, id: number, status: 'live' | 'draining'): Promise<void> {
  await tx
    .updateTable('nodes')
    .set({ status })
    .where('id', '=', id)
    .where('status', 'in', ['live', 'draining'])
    .execute()
}

/** How many instances have to be served and are not. */
export async function countUntaken(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with recursive ${sql.raw(UNTAKEN_INSTANCES)} select count(*) as count from untaken`.execute(db)
  return rows[0]?.count ?? 0
}

/** How many instances a single process serves: those with a login, and those that are connecting. */
export async function countServed(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('instances')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('deleted_at', 'is', null)
    .where((eb) => eb.or([eb('logged_in', '=', 1), eb('state', '<>', 'close')]))
    .executeTakeFirstOrThrow()
  return count
}
