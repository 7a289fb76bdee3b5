// Which files of received messages are wanted, kept or lost. The files themselves are in the data directory.
import { sql } from 'kysely'
import type { Db } from '../tables.ts'

export async function wantFile(
  tx: Db,
  { rowId, instanceId, now }: { rowId: number; instanceId: number; now: number },
): Promise<void> {
  await tx
    .insertInto('received_files')
    .values({
      message_row_id: rowId,
      instance_id: instanceId,
      status: 'wanted',
      due_at: now,
      created_at: now,
    })
    .execute()
}

export interface WantedFile {
  rowId: number
  instanceId: number
  tries: number
  createdAt: number
  reference: string
}

/** Due by now, longest due first, of instances that are connected. */
export async function listWantedFiles(db: Db, now: number, limit: number): Promise<WantedFile[]> {
  const rows = await db
    .selectFrom('received_files')
    .innerJoin('messages', 'messages.row_id', 'received_files.message_row_id')
    .innerJoin('instances', 'instances.id', 'received_files.instance_id')
    .select(['message_row_id', 'received_files.instance_id', 'received_files.tries'])
    .select(['received_files.created_at', 'media_reference'])
    .where('received_files.status', '=', sql.lit('wanted'))
    .where('received_files.due_at', '<=', now)
    .where('instances.state', '=', 'open')
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

export async function settleFile(db: Db, rowId: number, outcome: FileOutcome): Promise<void> {
  const change =
    outcome.status === 'wanted'
      ? { status: outcome.status, due_at: outcome.dueAt, tries: outcome.tries }
      : { status: outcome.status, due_at: null }
  await db.updateTable('received_files').set(change).where('message_row_id', '=', rowId).execute()
}

export interface OldFile {
  rowId: number
  instanceId: number
}

/** Whose time is over; the row goes when the file has gone. */
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

export async function removeFileRow(db: Db, rowId: number): Promise<void> {
  await db.deleteFrom('received_files').where('message_row_id', '=', rowId).execute()
}
