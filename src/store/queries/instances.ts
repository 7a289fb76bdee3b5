// Instances, those that live and those that are gone.
import type { FailureReason } from '../../contract/sending.ts'
import { messageUpdate, type NewEvent } from '../event-log.ts'
import type { Db, NewRow, Row, RowChange } from '../tables.ts'

export type InstanceRow = Row<'instances'>

export const listInstances = (db: Db, accountId: number): Promise<InstanceRow[]> =>
  db
    .selectFrom('instances')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()

/**
 * By its unique name, deleted or not, and only within the account: another account's instance is as unknown as none.
 */
export const findInstanceEverKnown = (
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
  const row = await findInstanceEverKnown(db, accountId, apiName)
  return row && row.deleted_at === null ? row : undefined
}

export const findLivingInstance = (db: Db, id: number): Promise<InstanceRow | undefined> =>
  db
    .selectFrom('instances')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

export const insertInstance = (tx: Db, row: NewRow<'instances'>): Promise<InstanceRow> =>
  tx.insertInto('instances').values(row).returningAll().executeTakeFirstOrThrow()

export const updateInstance = (
  tx: Db,
  id: number,
  change: RowChange<'instances'>,
): Promise<InstanceRow | undefined> =>
  tx
    .updateTable('instances')
    .set(change)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returningAll()
    .executeTakeFirst()

/** Credentials go with the data key that sealed them. A connection that is still closing writes no more after this. */
export async function deleteSessionKeys(tx: Db, instanceId: number): Promise<void> {
  await claimInstance(tx, instanceId)
  await tx.deleteFrom('session_keys').where('instance_id', '=', instanceId).execute()
  await tx.deleteFrom('inbox').where('instance_id', '=', instanceId).execute()
}

/** Everything that still waits is failed; the events say so: nothing accepted is ever dropped in silence. */
export async function failWaiting(
  tx: Db,
  instanceId: number,
  failure: { reason: FailureReason; error: string },
  now: number,
): Promise<NewEvent[]> {
  await tx.updateTable('instances').set({ queued_count: 0 }).where('id', '=', instanceId).execute()
  const failed = await tx
    .updateTable('messages')
    .set({ status: 'failed', failure_reason: failure.reason, failure_error: failure.error, updated_at: now })
    .where('lane', 'in', (eb) => eb.selectFrom('lanes').select('key').where('instance_id', '=', instanceId))
    .where('status', 'in', ['queued', 'sending'])
    .returning(['row_id', 'id', 'chat'])
    .execute()
  // The fence moves on, so that a worker still busy with one of them has no say any more.
  await tx
    .updateTable('lanes')
    .set((eb) => ({ due_at: null, locked_until: null, owner: null, fence: eb('fence', '+', 1) }))
    .where('instance_id', '=', instanceId)
    .execute()
  return failed
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

/** Takes a living, logged out instance for deletion; of several requests at once one gets it. */
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

/** Removes all that belongs to the instance but its messages, which can still be asked for. */
export async function deleteBelongings(tx: Db, instanceId: number): Promise<void> {
  await tx.deleteFrom('webhooks').where('instance_id', '=', instanceId).execute()
  await tx.deleteFrom('contacts').where('instance_id', '=', instanceId).execute()
  await tx.deleteFrom('chats').where('instance_id', '=', instanceId).execute()
  await tx.deleteFrom('lanes').where('instance_id', '=', instanceId).execute()
  await tx.deleteFrom('groups').where('instance_id', '=', instanceId).execute()
}

/**
 * The chats that an earlier process was sending to are free at once. Without that the messages of a process that was killed
 * would wait until its locks run out. Returns the same ids.
 */
export async function freeSendLanes(db: Db, instanceIds: number[]): Promise<number[]> {
  if (instanceIds.length === 0) return []
  await db
    .updateTable('lanes')
    .set({ locked_until: null, owner: null })
    .where('instance_id', 'in', instanceIds)
    .where('kind', '=', 'send')
    .where('locked_until', 'is not', null)
    .execute()
  return instanceIds
}

/** Takes an instance over: from now on a former owner's writes are refused. Returns the new fence. */
export async function claimInstance(db: Db, instanceId: number): Promise<number> {
  const row = await db
    .updateTable('instances')
    .set((eb) => ({ fence: eb('fence', '+', 1) }))
    .where('id', '=', instanceId)
    .returning('fence')
    .executeTakeFirstOrThrow()
  return row.fence
}

/**
 * Whatever holds a login comes back, also one whose pairing had ended but whose opening was not written any more. One that
 * was replaced stays closed: it would throw out whoever has taken its place.
 */
export async function listIdsToResume(db: Db): Promise<number[]> {
  const rows = await db
    .selectFrom('instances')
    .select('id')
    .where('deleted_at', 'is', null)
    .where((eb) => eb.or([eb('state_reason', 'is', null), eb('state_reason', '!=', 'replaced')]))
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
  return rows.map((row) => row.id)
}

/** A pairing does not outlive the process that showed its code. */
export const settleAfterRestart = (tx: Db, now: number): Promise<InstanceRow[]> =>
  tx
    .updateTable('instances')
    .set({ state: 'close', state_reason: 'stopped', updated_at: now })
    .where('logged_in', '=', 0)
    .where('state', '=', 'connecting')
    .where('deleted_at', 'is', null)
    .returningAll()
    .execute()
