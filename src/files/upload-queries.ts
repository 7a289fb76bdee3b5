// Uploaded files: reserved, complete, and to be removed. `src/files/` stores the files themselves.

import { chunksOf } from '../store/chunks.ts'
import type { Db, NewRow, Row } from '../store/tables.ts'

export type UploadRow = Row<'media_uploads'>

export const insertUpload = (tx: Db, row: NewRow<'media_uploads'>): Promise<UploadRow> =>
  tx.insertInto('media_uploads').values(row).returningAll().executeTakeFirstOrThrow()

/** What the uploads of an account have together, including what is reserved. */
export async function sumUploadBytes(db: Db, accountId: number): Promise<number> {
  const { total } = await db
    .selectFrom('media_uploads')
    .select((eb) => eb.fn.sum<number | string | null>('size_bytes').as('total'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return Number(total ?? 0)
}

export interface CompletedUpload {
  sizeBytes: number
  sha256: string
  mimetype: string
  /** Until when new messages may use it. */
  expiresAt: number
  keptUntil: number
}

/** False: the row was deleted meanwhile, together with its account. */
export async function completeUpload(db: Db, id: number, upload: CompletedUpload): Promise<boolean> {
  const done = await db
    .updateTable('media_uploads')
    .set({
      size_bytes: upload.sizeBytes,
      sha256: upload.sha256,
      mimetype: upload.mimetype,
      expires_at: upload.expiresAt,
      kept_until: upload.keptUntil,
    })
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return done !== undefined
}

/** A complete upload of the account, expired or not. */
export const findUpload = (db: Db, accountId: number, mediaId: string): Promise<UploadRow | undefined> =>
  db
    .selectFrom('media_uploads')
    .selectAll()
    .where('media_id', '=', mediaId)
    .where('account_id', '=', accountId)
    .where('sha256', 'is not', null)
    .executeTakeFirst()

/** Keeps the file at least until then. False: the upload has expired or was removed. */
export async function keepUpload(
  db: Db,
  id: number,
  { now, until }: { now: number; until: number },
): Promise<boolean> {
  const kept = await db
    .updateTable('media_uploads')
    .set((eb) => ({
      kept_until: eb.case().when('kept_until', '<', until).then(until).else(eb.ref('kept_until')).end(),
    }))
    .where('id', '=', id)
    .where('expires_at', '>', now)
    .returning('id')
    .executeTakeFirst()
  return kept !== undefined
}

/**
 * No new message can use the upload. Its file stays for messages that use it already: each of them has moved `kept_until` beyond the expiry.
 * False: the account has no such upload, or it has expired.
 */
export async function endUpload(db: Db, accountId: number, mediaId: string, now: number): Promise<boolean> {
  const ended = await db
    .updateTable('media_uploads')
    .set((eb) => ({
      expires_at: now,
      kept_until: eb
        .case()
        .when('kept_until', '<=', eb.ref('expires_at'))
        .then(now)
        .else(eb.ref('kept_until'))
        .end(),
    }))
    .where('media_id', '=', mediaId)
    .where('account_id', '=', accountId)
    .where('sha256', 'is not', null)
    .where('expires_at', '>', now)
    .returning('id')
    .executeTakeFirst()
  return ended !== undefined
}

/** Uploads to remove. Their rows are deleted after their files. */
export async function listEndedUploads(db: Db, now: number, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('media_uploads')
    .select('id')
    .where('kept_until', '<=', now)
    .where('expires_at', '<=', now)
    .orderBy('kept_until')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Statuses of a send that still needs its files. */
const NEEDS_FILES = ['awaiting_approval', 'scheduled', 'queued', 'sending'] as const

/** Files that were fetched for a send which was sent or has failed since. */
export async function listReleasedUploads(db: Db, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('media_uploads')
    .select('id')
    .where('held_message_id', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('messages')
            .select('messages.row_id')
            .whereRef('messages.instance_id', '=', 'media_uploads.held_instance_id')
            .whereRef('messages.id', '=', 'media_uploads.held_message_id')
            .where('messages.direction', '=', 'outgoing')
            .where('messages.status', 'in', NEEDS_FILES),
        ),
      ),
    )
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

export async function deleteUploadRow(db: Db, id: number): Promise<void> {
  await db.deleteFrom('media_uploads').where('id', '=', id).execute()
}

/** Of these uploads, those that have a row. */
export async function findUploadRows(db: Db, ids: number[]): Promise<Set<number>> {
  const found = new Set<number>()
  for (const some of chunksOf(ids)) {
    const rows = await db.selectFrom('media_uploads').select('id').where('id', 'in', some).execute()
    for (const { id } of rows) found.add(id)
  }
  return found
}
