// Instances, deleted ones included.

import { deletePictures } from '../contacts/picture-queries.ts'
import { deleteSubscriptions } from '../contacts/presence-queries.ts'
import type { FailureReason } from '../contract/sending.ts'
import { messageUpdate } from '../events/append-store.ts'
import type { NewEvent } from '../events/rules-payloads.ts'
import { lockInstance } from '../store/locks.ts'
import type { Db, NewRow, Row, RowChange, Transactional } from '../store/tables.ts'

export type InstanceRow = Row<'instances'>

export const listInstances = (db: Db, accountId: number): Promise<InstanceRow[]> =>
  db
    .selectFrom('instances')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()

/** By its unique name, deleted or not. Instances of other accounts are not found. */
export const findInstanceIncludingDeleted = (
  db: Db,
  accountId: number,
  apiName: string,
): Promise<InstanceRow | undefined> =>
  db
    .selectFrom('instances')
    .selectAll()
    .where('api_name', '=', apiName)
    .where('account_id', '=', accountId)
    .executeTakeFirst()

export async function findInstance(
  db: Db,
  accountId: number,
  apiName: string,
): Promise<InstanceRow | undefined> {
  const row = await findInstanceIncludingDeleted(db, accountId, apiName)
  return row && row.deleted_at === null ? row : undefined
}

/** The API names that fit the pattern, a few at most. */
export const listSimilarNames = async (db: Db, accountId: number, pattern: string): Promise<string[]> =>
  (
    await db
      .selectFrom('instances')
      .select('api_name')
      .where('account_id', '=', accountId)
      .where('deleted_at', 'is', null)
      .where('api_name', 'like', pattern)
      .orderBy('id')
      .limit(3)
      .execute()
  ).map(({ api_name }) => api_name)

export const findInstanceById = (db: Db, id: number): Promise<InstanceRow | undefined> =>
  db
    .selectFrom('instances')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

/** An instance of any account that is logged in with this number. */
export const findInstanceByNumber = (db: Db, number: string): Promise<InstanceRow | undefined> =>
  db
    .selectFrom('instances')
    .selectAll()
    .where('number', '=', number)
    .where('logged_in', '=', 1)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()

export const insertInstance = (tx: Db, row: NewRow<'instances'>): Promise<InstanceRow> =>
  tx.insertInto('instances').values(row).returningAll().executeTakeFirstOrThrow()

export const updateInstance = (
  tx: Db,
  id: number,
  change: RowChange<'instances'>,
  { unlessLoggingOut = false } = {},
): Promise<InstanceRow | undefined> =>
  tx
    .updateTable('instances')
    .set(change)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .$if(unlessLoggingOut, (query) => query.where('logout_requested_at', 'is', null))
    .returningAll()
    .executeTakeFirst()

/** Living instances by state and reason. */
export const countInstancesByState = (
  db: Db,
): Promise<{ state: string; reason: string | null; count: number }[]> =>
  db
    .selectFrom('instances')
    .select((eb) => ['state', 'state_reason as reason', eb.fn.countAll<number>().as('count')])
    .where('deleted_at', 'is', null)
    .groupBy(['state', 'state_reason'])
    .execute()

/** Also takes a new fencing token: a connection that is still closing can no longer write. */
export async function deleteSessionKeys(tx: Db, instanceId: number): Promise<void> {
  await claimInstance(tx, instanceId)
  await tx.deleteFrom('session_keys').where('instance_id', '=', instanceId).execute()
  await tx.deleteFrom('inbox').where('instance_id', '=', instanceId).execute()
  await tx.deleteFrom('set_aside').where('instance_id', '=', instanceId).execute()
}

/** Fails all waiting messages and returns their events, so that no accepted message disappears without one. */
export async function failWaitingMessages(
  tx: Db,
  instanceId: number,
  failure: { reason: FailureReason; error: string },
  now: number,
): Promise<NewEvent[]> {
  await tx
    .updateTable('instances')
    .set({ queued_count: 0, scheduled_count: 0 })
    .where('id', '=', instanceId)
    .execute()
  const fail = () =>
    tx.updateTable('messages').set({
      status: 'failed',
      failure_reason: failure.reason,
      failure_error: failure.error,
      updated_at: now,
    })
  const queued = await fail()
    .where('lane', 'in', (eb) => eb.selectFrom('lanes').select('key').where('instance_id', '=', instanceId))
    .where('status', 'in', ['queued', 'sending'])
    .returning(['row_id', 'id', 'chat'])
    .execute()
  const scheduled = await fail()
    .where('instance_id', '=', instanceId)
    .where('status', 'in', ['scheduled', 'awaiting_approval'])
    .returning(['row_id', 'id', 'chat'])
    .execute()
  // The new fencing token rejects the settlement of a worker that is sending one of them.
  await tx
    .updateTable('lanes')
    .set((eb) => ({ due_at: null, locked_until: null, owner: null, fence: eb('fence', '+', 1) }))
    .where('instance_id', '=', instanceId)
    .execute()
  return [...queued, ...scheduled]
    .sort((a, b) => a.row_id - b.row_id)
    .map(({ id, chat }) =>
      messageUpdate({
        instanceId,
        messageId: id,
        chat,
        status: 'failed',
        failure: { ...failure, code: null },
        at: now,
      }),
    )
}

/** Marks a logged-out instance as deleted. Of several requests at once, one gets the row. */
export const markDeleted = (
  tx: Db,
  accountId: number,
  apiName: string,
  now: number,
): Promise<InstanceRow | undefined> =>
  tx
    .updateTable('instances')
    .set({ deleted_at: now, updated_at: now })
    .where('api_name', '=', apiName)
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .where('logged_in', '=', 0)
    .returningAll()
    .executeTakeFirst()

/** Deletes the rows of the instance, except its webhooks and its messages, which can still be read. */
export async function deleteInstanceRows(tx: Db, instanceId: number): Promise<void> {
  await tx.deleteFrom('contacts').where('instance_id', '=', instanceId).execute()
  await tx.deleteFrom('chats').where('instance_id', '=', instanceId).execute()
  await tx.deleteFrom('lanes').where('instance_id', '=', instanceId).execute()
  await tx.deleteFrom('groups').where('instance_id', '=', instanceId).execute()
  await tx.deleteFrom('calls').where('instance_id', '=', instanceId).execute()
  await tx.deleteFrom('instance_settings').where('instance_id', '=', instanceId).execute()
  await tx.deleteFrom('evolution_instances').where('instance_id', '=', instanceId).execute()
  await deleteSubscriptions(tx, instanceId)
  await deletePictures(tx, instanceId)
}

/** Releases the lanes that an earlier process has locked. Otherwise its messages would wait until the locks expire. */
export async function freeSendLanes(store: Transactional, instanceIds: number[]): Promise<void> {
  if (instanceIds.length === 0) return
  const locked = await store.db
    .selectFrom('lanes')
    .select('instance_id')
    .distinct()
    .where('instance_id', 'in', instanceIds)
    .where('locked_until', 'is not', null)
    .execute()
  for (const { instance_id: instanceId } of locked) {
    await store.transaction(async (tx) => {
      await lockInstance(tx, instanceId)
      await tx
        .updateTable('lanes')
        .set({ locked_until: null, owner: null })
        .where('instance_id', '=', instanceId)
        .where('locked_until', 'is not', null)
        .execute()
    })
  }
}

/** Increments the instance's fencing token: writes with an older token are rejected from now on. Returns the new token. */
export async function claimInstance(db: Db, instanceId: number): Promise<number> {
  const row = await db
    .updateTable('instances')
    .set((eb) => ({ fence: eb('fence', '+', 1) }))
    .where('id', '=', instanceId)
    .returning('fence')
    .executeTakeFirstOrThrow()
  return row.fence
}

/** The columns that decide whether an instance should have a session, and which state it shows. */
export type SessionRow = Pick<
  InstanceRow,
  'id' | 'state' | 'state_reason' | 'state_until' | 'logged_in' | 'logout_requested_at'
>

/** All of them, or those that a node serves. */
const sessionRows = (db: Db, nodeId: number | undefined) =>
  db
    .selectFrom('instances')
    .select(['id', 'state', 'state_reason', 'state_until', 'logged_in', 'logout_requested_at'])
    .where('deleted_at', 'is', null)
    .$if(nodeId !== undefined, (query) => query.where('node_id', '=', nodeId as number))

/**
 * Every instance with a login, of all or of these, including one that was paired but not marked as open before the process ended. A replaced instance
 * is left out unless it has one more try: connecting would disconnect the program that replaced it.
 */
export const listToResume = (db: Db, instanceIds?: number[]): Promise<SessionRow[]> =>
  sessionRows(db, undefined)
    .$if(instanceIds !== undefined, (query) => query.where('id', 'in', instanceIds as number[]))
    .where('logout_requested_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb('state_reason', 'is', null),
        eb('state_reason', '!=', 'replaced'),
        eb('state_until', 'is not', null),
      ]),
    )
    .where((eb) =>
      eb.or([
        eb('logged_in', '=', 1),
        eb.exists(
          eb
            .selectFrom('session_keys')
            .select('session_keys.name')
            .whereRef('session_keys.instance_id', '=', 'instances.id')
            .where('session_keys.kind', '=', 'creds'),
        ),
      ]),
    )
    .orderBy('id')
    .execute()

/** Every instance whose stored state may differ from its session. */
export const listToReconcile = (db: Db, nodeId?: number): Promise<SessionRow[]> =>
  sessionRows(db, nodeId)
    .where((eb) =>
      eb.or([eb('state', '=', 'open'), eb('logged_in', '=', 1), eb('logout_requested_at', 'is not', null)]),
    )
    .orderBy('id')
    .execute()

export const findSessionRow = (
  db: Db,
  instanceId: number,
  nodeId?: number,
): Promise<SessionRow | undefined> => sessionRows(db, nodeId).where('id', '=', instanceId).executeTakeFirst()

/** Ends pairings, all or of these instances: the code was shown by a process that no longer runs. */
export async function endInterruptedPairings(
  tx: Db,
  now: number,
  instanceIds?: number[],
): Promise<InstanceRow[]> {
  const pairing = { logged_in: 0, state: 'connecting' } as const
  const found = await tx
    .selectFrom('instances')
    .select('id')
    .where((eb) => eb.and(pairing))
    .where('deleted_at', 'is', null)
    .$if(instanceIds !== undefined, (query) => query.where('id', 'in', instanceIds as number[]))
    .orderBy('id')
    .execute()
  const ended: InstanceRow[] = []
  for (const { id } of found) {
    const row = await tx
      .updateTable('instances')
      .set({ state: 'close', state_reason: 'stopped', updated_at: now })
      .where('id', '=', id)
      .where((eb) => eb.and(pairing))
      .where('deleted_at', 'is', null)
      .returningAll()
      .executeTakeFirst()
    if (row) ended.push(row)
  }
  return ended
}

/** Sets every instance that is stored as connected, and that no node serves, to closed. */
export const closeInstances = (tx: Db, change: RowChange<'instances'>): Promise<InstanceRow[]> =>
  tx
    .updateTable('instances')
    .set(change)
    .where('state', '!=', 'close')
    .where('deleted_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb('node_id', 'is', null),
        eb(
          'node_id',
          'not in',
          eb.selectFrom('nodes').select('nodes.id').where('status', 'in', ['live', 'draining']),
        ),
      ]),
    )
    .returningAll()
    .execute()
