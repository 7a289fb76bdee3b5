// Parts of uploaded files as rows of PostgreSQL, which every node can read. They are removed with the row of their upload.
import type { Store } from '../store/store.ts'
import type { Db } from '../store/tables.ts'
import type { FileStore } from './file-store.ts'

export const createUploadRowStore = ({ db }: Pick<Store, 'db'>): FileStore => ({
  async read(uploadId, part, range) {
    const sealed = await readUploadPart(db, uploadId, part)
    return range && sealed ? sealed.subarray(range.start, range.start + range.length) : sealed
  },
  write: (uploadId, part, sealed) => writeUploadPart(db, uploadId, part, sealed),
  remove: (uploadId, part) => removeUploadParts(db, uploadId, part),
  removeFolder: (uploadId) => removeUploadParts(db, uploadId),
  folderIds: () => listUploadsWithParts(db),
  fileIds: (uploadId) => listUploadParts(db, uploadId),
})

// Parts of uploaded files as rows of PostgreSQL: encrypted, a little more than 256 KiB at most.

async function readUploadPart(db: Db, uploadId: number, part: number): Promise<Uint8Array | null> {
  const row = await db
    .selectFrom('media_upload_parts')
    .select('sealed')
    .where('upload_id', '=', uploadId)
    .where('part', '=', part)
    .executeTakeFirst()
  return row?.sealed ?? null
}

async function writeUploadPart(db: Db, uploadId: number, part: number, sealed: Uint8Array): Promise<void> {
  await db
    .insertInto('media_upload_parts')
    .values({ upload_id: uploadId, part, sealed })
    .onConflict((oc) => oc.columns(['upload_id', 'part']).doUpdateSet({ sealed }))
    .execute()
}

async function removeUploadParts(db: Db, uploadId: number, part?: number): Promise<void> {
  await db
    .deleteFrom('media_upload_parts')
    .where('upload_id', '=', uploadId)
    .$if(part !== undefined, (query) => query.where('part', '=', part as number))
    .execute()
}

async function listUploadParts(db: Db, uploadId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('media_upload_parts')
    .select('part')
    .where('upload_id', '=', uploadId)
    .orderBy('part')
    .execute()
  return rows.map(({ part }) => part)
}

async function listUploadsWithParts(db: Db): Promise<number[]> {
  const rows = await db.selectFrom('media_upload_parts').select('upload_id').distinct().execute()
  return rows.map((row) => row.upload_id)
}
