// The files of received messages: to be fetched, stored or lost. `src/files/` stores the files themselves.
import { sql } from 'kysely'
import { chunksOf } from '../store/chunks.ts'
import type { Db } from '../store/tables.ts'

export interface DueFile {
  rowId: number
  instanceId: number
  tries: number
  createdAt: number
  reference: string
}

/** Files of connected instances that are due, of all or of those that a node serves, longest due first. */
export async function listDueFiles(db: Db, now: number, limit: number, nodeId?: number): Promise<DueFile[]> {
  const rows = await db
    .selectFrom('received_files')
    .innerJoin('messages', 'messages.row_id', 'received_files.message_row_id')
    .innerJoin('instances', 'instances.id', 'received_files.instance_id')
    .select(['message_row_id', 'received_files.instance_id', 'received_files.tries'])
    .select(['received_files.created_at', 'media_reference'])
    .where('received_files.status', '=', sql.lit('wanted'))
    .where('received_files.due_at', '<=', now)
    .where('instances.state', '=', 'open')
    .$if(nodeId !== undefined, (query) => query.where('instances.node_id', '=', nodeId as number))
    .orderBy('received_files.due_at')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    rowId: row.message_row_id,
    instanceId: row.instance_id,
    tries: row.tries,
    createdAt: row.created_at,
    reference: row.media_reference ?? 'null',
  }))
}

export type FileOutcome = { status: 'kept' | 'lost' } | { status: 'wanted'; dueAt: number; tries: number }

/** False: the row was deleted together with its account. */
export async function settleFile(db: Db, rowId: number, outcome: FileOutcome): Promise<boolean> {
  const change =
    outcome.status === 'wanted'
      ? { status: outcome.status, due_at: outcome.dueAt, tries: outcome.tries }
      : { status: outcome.status, due_at: null }
  const settled = await db
    .updateTable('received_files')
    .set(change)
    .where('message_row_id', '=', rowId)
    .returning('message_row_id')
    .executeTakeFirst()
  return settled !== undefined
}

/** Of these messages, those that still have a row for their file. */
export async function findFileRows(db: Db, rowIds: number[]): Promise<Set<number>> {
  const found = new Set<number>()
  for (const ids of chunksOf(rowIds)) {
    const rows = await db
      .selectFrom('received_files')
      .select('message_row_id')
      .where('message_row_id', 'in', ids)
      .execute()
    for (const row of rows) found.add(row.message_row_id)
  }
  return found
}

/** Of these instances, those that are not deleted. */
export async function findLivingIds(db: Db, instanceIds: number[]): Promise<Set<number>> {
  const found = new Set<number>()
  for (const ids of chunksOf(instanceIds)) {
    const rows = await db
      .selectFrom('instances')
      .select('id')
      .where('id', 'in', ids)
      .where('deleted_at', 'is', null)
      .execute()
    for (const row of rows) found.add(row.id)
  }
  return found
}

export interface OldFile {
  rowId: number
  instanceId: number
}

/** Files to delete. Their rows are deleted after the files. */
export async function listOldFiles(db: Db, createdBefore: number, limit: number): Promise<OldFile[]> {
  const rows = await db
    .selectFrom('received_files')
    .select(['message_row_id', 'instance_id'])
    .where('created_at', '<', createdBefore)
    .orderBy('created_at')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ rowId: row.message_row_id, instanceId: row.instance_id }))
}

export async function deleteFileRow(db: Db, rowId: number): Promise<void> {
  await db.deleteFrom('received_files').where('message_row_id', '=', rowId).execute()
}
