// Queries about pending sends: due times of lanes, locks to release, scheduled messages. Claiming and settling are operations of the
// outbox.
import { sql } from 'kysely'
import { messageUpdate } from '../events/append-store.ts'
import type { NewEvent } from '../events/rules-payloads.ts'
import { lockInstance } from '../store/locks.ts'
import { type Db, flag, type Row, type Transactional } from '../store/tables.ts'
import { laneKey } from './outbox.ts'

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

// Scheduled messages enter the lanes of their chats when they are due. Queued messages fail when they expire.

type DueMessage = Pick<Row<'messages'>, 'row_id' | 'id' | 'chat'> & { send_at: number }

/** Messages of one instance that change in one transaction. */
export const MAX_DUE = 500

/** The instances with a scheduled message that is due, of all or of those that a node serves, longest due first. */
export async function listInstancesWithDue(db: Db, now: number, nodeId?: number): Promise<number[]> {
  const rows = await ofNode(db, nodeId)
    .select((eb) => ['instances.id', eb.fn.min('messages.send_at').as('first')])
    .where('messages.status', '=', 'scheduled')
    .where('messages.send_at', '<=', now)
    .groupBy('instances.id')
    .orderBy('first')
    .execute()
  return rows.map(({ id }) => id)
}

/** The instances with a queued message that has expired. */
export async function listInstancesWithExpired(db: Db, now: number, nodeId?: number): Promise<number[]> {
  const rows = await ofNode(db, nodeId)
    .select('instances.id')
    .distinct()
    .where('messages.status', '=', 'queued')
    .where('messages.expires_at', '<=', now)
    .execute()
  return rows.map(({ id }) => id)
}

/** When the next scheduled message is due or the next queued one expires; undefined: there is none. */
export async function nextMoment(db: Db, nodeId?: number): Promise<number | undefined> {
  const due = await ofNode(db, nodeId)
    .select('messages.send_at as at')
    .where('messages.status', '=', 'scheduled')
    .where('messages.send_at', 'is not', null)
    .orderBy('messages.send_at')
    .limit(1)
    .executeTakeFirst()
  const expired = await ofNode(db, nodeId)
    .select('messages.expires_at as at')
    .where('messages.status', '=', 'queued')
    .where('messages.expires_at', 'is not', null)
    .orderBy('messages.expires_at')
    .limit(1)
    .executeTakeFirst()
  const moments = [due?.at, expired?.at].filter((at) => typeof at === 'number')
  return moments.length === 0 ? undefined : Math.min(...moments)
}

const ofNode = (db: Db, nodeId: number | undefined) =>
  db
    .selectFrom('messages')
    .innerJoin('instances', 'instances.id', 'messages.instance_id')
    .$if(nodeId !== undefined, (query) => query.where('instances.node_id', '=', nodeId as number))

/** Puts due messages at the end of their lanes, in the order of their times. The caller has locked the instance. */
export async function enqueueDue(
  tx: Db,
  instanceId: number,
  now: number,
  isLate: (sendAt: number) => boolean,
): Promise<NewEvent[]> {
  const due = (await tx
    .selectFrom('messages')
    .select(['row_id', 'id', 'chat', 'send_at'])
    .where('instance_id', '=', instanceId)
    .where('status', '=', 'scheduled')
    .where('send_at', '<=', now)
    .orderBy('send_at')
    .orderBy('row_id')
    .limit(MAX_DUE)
    .execute()) as DueMessage[]
  if (due.length === 0) return []
  await tx
    .updateTable('instances')
    .set((eb) => ({
      scheduled_count: eb('scheduled_count', '-', due.length),
      queued_count: eb('queued_count', '+', due.length),
    }))
    .where('id', '=', instanceId)
    .execute()
  await appendToLanes(tx, instanceId, due, now, isLate)
  return due.map(({ id: messageId, chat }) =>
    messageUpdate({ instanceId, messageId, chat, status: 'queued', failure: null, at: now }),
  )
}

/** Two statements for all of them: a round trip for each message would make the last ones late. */
async function appendToLanes(
  tx: Db,
  instanceId: number,
  due: DueMessage[],
  now: number,
  isLate: (sendAt: number) => boolean,
): Promise<void> {
  const lanes = Map.groupBy(due, ({ chat }) => laneKey({ instanceId, chat }))
  const ends = await tx
    .insertInto('lanes')
    .values(
      [...lanes].map(([key, { length }]) => ({
        key,
        instance_id: instanceId,
        due_at: now,
        last_seq: length,
      })),
    )
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet((eb) => ({
        last_seq: eb('lanes.last_seq', '+', eb.ref('excluded.last_seq')),
        due_at: eb.fn.coalesce('lanes.due_at', 'excluded.due_at'),
      })),
    )
    .returning(['key', 'last_seq'])
    .execute()
  const laneEnds = ends.flatMap(({ key, last_seq: last }) => {
    const messages = lanes.get(key) ?? []
    return messages.map(({ row_id: rowId, send_at: sendAt }, index) => {
      const seq = last - messages.length + 1 + index
      return sql`(cast(${rowId} as bigint), ${key}, cast(${seq} as bigint), cast(${flag(isLate(sendAt))} as bigint))`
    })
  })
  await sql`
    update messages set status = 'queued', lane = lane_end.column2, lane_seq = lane_end.column3, late = lane_end.column4,
      updated_at = ${now}
    from (values ${sql.join(laneEnds)}) as lane_end where messages.row_id = lane_end.column1`.execute(tx)
}

/** Fails queued messages that have expired. One that is being sent keeps its outcome. The caller has locked the instance. */
export async function failExpired(
  tx: Db,
  instanceId: number,
  now: number,
  error: string,
): Promise<NewEvent[]> {
  const failure = { reason: 'expired', error, code: null } as const
  const expired = await tx
    .updateTable('messages')
    .set({ status: 'failed', failure_reason: failure.reason, failure_error: error, updated_at: now })
    .where('instance_id', '=', instanceId)
    .where('status', '=', 'queued')
    .where('expires_at', '<=', now)
    .returning(['row_id', 'id', 'chat'])
    .execute()
  if (expired.length === 0) return []
  await tx
    .updateTable('instances')
    .set((eb) => ({ queued_count: eb('queued_count', '-', expired.length) }))
    .where('id', '=', instanceId)
    .execute()
  return expired
    .sort((a, b) => a.row_id - b.row_id)
    .map(({ id: messageId, chat }) =>
      messageUpdate({ instanceId, messageId, chat, status: 'failed', failure, at: now }),
    )
}

// Answers that are stored under an idempotency key. Accepting a send writes them.

/** Whether a request with this key was accepted before. */
export async function hasAnswer(db: Db, accountId: number, key: string): Promise<boolean> {
  const row = await db
    .selectFrom('idempotency_keys')
    .select('key')
    .where('account_id', '=', accountId)
    .where('key', '=', key)
    .executeTakeFirst()
  return row !== undefined
}
