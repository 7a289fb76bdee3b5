// Parts of uploaded files as rows of PostgreSQL: encrypted, a little more than 256 KiB at most.
import type { Db } from '../store/tables.ts'

export async function readUploadPart(db: Db, uploadId: number, part: number): Promise<Uint8Array | null> {
  const row = await db
    .selectFrom('media_upload_parts')
    .select('sealed')
    .where('upload_id', '=', uploadId)
    .where('part', '=', part)
    .executeTakeFirst()
  return row?.sealed ?? null
}

export async function writeUploadPart(
  db: Db,
  uploadId: number,
  part: number,
  sealed: Uint8Array,
): Promise<void> {
  await db
    .insertInto('media_upload_parts')
    .values({ upload_id: uploadId, part, sealed })
    .onConflict((oc) => oc.columns(['upload_id', 'part']).doUpdateSet({ sealed }))
    .execute()
}

export async function removeUploadParts(db: Db, uploadId: number, part?: number): Promise<void> {
  await db
    .deleteFrom('media_upload_parts')
    .where('upload_id', '=', uploadId)
    .$if(part !== undefined, (query) => query.where('part', '=', part as number))
    .execute()
}

export async function listUploadParts(db: Db, uploadId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('media_upload_parts')
    .select('part')
    .where('upload_id', '=', uploadId)
    .orderBy('part')
    .execute()
  return rows.map(({ part }) => part)
}

export async function listUploadsWithParts(db: Db): Promise<number[]> {
  const rows = await db.selectFrom('media_upload_parts').select('upload_id').distinct().execute()
  return rows.map((row) => row.upload_id)
}
