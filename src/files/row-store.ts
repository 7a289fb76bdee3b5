// Files of received messages as rows of PostgreSQL, which every node can read.

import { sql } from 'kysely'
import { createSemaphore } from '../kernel/async/locks.ts'
import type { Db, Transactional } from '../store/tables.ts'
import type { FileStore } from './file-store.ts'

/** A large file takes a connection for seconds. The others of the pool stay free for messages. */
const AT_ONCE = 3

export function createRowStore(store: Transactional): FileStore {
  const acquire = createSemaphore(AT_ONCE)
  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const release = await acquire()
    try {
      return await work()
    } finally {
      release()
    }
  }
  return {
    read: (instanceId, rowId, range) =>
      inTurn(() =>
        range ? readFileRange(store.db, instanceId, rowId, range) : readFileParts(store, instanceId, rowId),
      ),
    write: (instanceId, rowId, sealed) => inTurn(() => writeFileParts(store, instanceId, rowId, sealed)),
    remove: (_instanceId, rowId) => removeFileParts(store.db, rowId),
    removeFolder: (instanceId) => removeFilePartsOf(store.db, instanceId),
    folderIds: () => listInstancesWithFiles(store.db),
    fileIds: (instanceId) => listStoredFiles(store.db, instanceId),
  }
}

// Files of received messages as rows of PostgreSQL: encrypted, in parts of at most 1 MB.

const PART_BYTES = 1024 * 1024
/** How many are listed at a time while all files of an instance are removed. */
const LISTED_AT_ONCE = 500

/** All parts or none. Nothing is written if the message was deleted meanwhile. */
export const writeFileParts = (
  store: Transactional,
  instanceId: number,
  rowId: number,
  sealed: Uint8Array,
): Promise<void> =>
  store.transaction(async (tx) => {
    // Locked before its parts, as by a deletion of the message.
    const row = await tx
      .updateTable('received_files')
      .set((eb) => ({ tries: eb.ref('tries') }))
      .where('message_row_id', '=', rowId)
      .returning('message_row_id')
      .executeTakeFirst()
    if (!row) return
    await removeFileParts(tx, rowId)
    for (let part = 0; part * PART_BYTES < sealed.length; part += 1) {
      const bytes = sealed.subarray(part * PART_BYTES, (part + 1) * PART_BYTES)
      await tx
        .insertInto('received_file_parts')
        .values({ message_row_id: rowId, part, instance_id: instanceId, sealed: bytes })
        .execute()
    }
  })

/** Reads one part at a time: the driver needs three times the memory of a result. */
const readFileParts = (store: Transactional, instanceId: number, rowId: number): Promise<Uint8Array | null> =>
  store.transaction(async (tx) => {
    // All parts as of one moment: the file may be written again while it is read.
    await sql`set transaction isolation level repeatable read, read only`.execute(tx)
    const parts: Uint8Array[] = []
    for (;;) {
      const row = await tx
        .selectFrom('received_file_parts')
        .select('sealed')
        .where('message_row_id', '=', rowId)
        .where('part', '=', parts.length)
        .where('instance_id', '=', instanceId)
        .executeTakeFirst()
      if (!row) break
      parts.push(row.sealed)
      if (row.sealed.length < PART_BYTES) break
    }
    return parts.length === 0 ? null : Buffer.concat(parts)
  })

/** Only these bytes, part by part. Null: there is no such file. */
async function readFileRange(
  db: Db,
  instanceId: number,
  rowId: number,
  { start, length }: { start: number; length: number },
): Promise<Uint8Array | null> {
  const pieces: Uint8Array[] = []
  for (let at = start; at < start + length; ) {
    const from = at % PART_BYTES
    const wanted = Math.min(PART_BYTES - from, start + length - at)
    const row = await db
      .selectFrom('received_file_parts')
      .select(sql<Uint8Array>`substring(sealed from ${from + 1}::int for ${wanted}::int)`.as('piece'))
      .where('message_row_id', '=', rowId)
      .where('part', '=', Math.floor(at / PART_BYTES))
      .where('instance_id', '=', instanceId)
      .executeTakeFirst()
    if (!row) break
    pieces.push(row.piece)
    at += wanted
    if (row.piece.length < wanted) break
  }
  if (pieces.length > 0) return Buffer.concat(pieces)
  return start === 0 ? null : new Uint8Array()
}

async function removeFileParts(db: Db, rowId: number): Promise<void> {
  await db.deleteFrom('received_file_parts').where('message_row_id', '=', rowId).execute()
}

/** File by file: one statement could exceed its time limit, and lock the rows in a different order than the same one elsewhere. */
export async function removeFilePartsOf(db: Db, instanceId: number): Promise<void> {
  for (;;) {
    const rowIds = await listStoredFiles(db, instanceId, LISTED_AT_ONCE)
    if (rowIds.length === 0) return
    for (const rowId of rowIds) await removeFileParts(db, rowId)
  }
}

/** The messages of an instance whose file is stored. */
async function listStoredFiles(db: Db, instanceId: number, limit?: number): Promise<number[]> {
  const rows = await db
    .selectFrom('received_file_parts')
    .select('message_row_id')
    .where('instance_id', '=', instanceId)
    .where('part', '=', sql.lit(0))
    .orderBy('message_row_id')
    .$if(limit !== undefined, (query) => query.limit(limit as number))
    .execute()
  return rows.map((row) => row.message_row_id)
}

async function listInstancesWithFiles(db: Db): Promise<number[]> {
  const rows = await db
    .selectFrom('received_file_parts')
    .select('instance_id')
    .distinct()
    .where('part', '=', sql.lit(0))
    .execute()
  return rows.map((row) => row.instance_id)
}
