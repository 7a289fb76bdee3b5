// Profile pictures: their status, their bytes, and when the network is queried next.
import { sql } from 'kysely'
import { chunksOf } from '../store/chunks.ts'
import type { Db, Row } from '../store/tables.ts'

export type PictureStatus = 'unknown' | 'present' | 'absent'
export type PictureRow = Row<'pictures'>

export interface PictureKey {
  instanceId: number
  jid: string
}

/** Schedules a request for these pictures. Known pictures are left unchanged. */
export async function schedulePictures(
  tx: Db,
  instanceId: number,
  jids: readonly string[],
  dueAt: number,
): Promise<void> {
  for (const some of chunksOf(jids)) {
    const rows = some.map((jid) => ({ instance_id: instanceId, jid, status: 'unknown', due_at: dueAt }))
    await tx
      .insertInto('pictures')
      .values(rows)
      .onConflict((oc) => oc.columns(['instance_id', 'jid']).doNothing())
      .execute()
  }
}

export const findPicture = (db: Db, { instanceId, jid }: PictureKey): Promise<PictureRow | undefined> =>
  db
    .selectFrom('pictures')
    .selectAll()
    .where('instance_id', '=', instanceId)
    .where('jid', '=', jid)
    .executeTakeFirst()

export interface PictureState {
  status: PictureStatus
  /** Null: the bytes have to be fetched. */
  sealed: Uint8Array | null
  digest: string | null
  version: number
  checked_at: number
  due_at: number
}

export async function upsertPicture(
  tx: Db,
  { instanceId, jid }: PictureKey,
  state: PictureState,
): Promise<void> {
  await tx
    .insertInto('pictures')
    .values({ instance_id: instanceId, jid, ...state })
    .onConflict((oc) => oc.columns(['instance_id', 'jid']).doUpdateSet(state))
    .execute()
}

export async function postponePicture(db: Db, { instanceId, jid }: PictureKey, dueAt: number): Promise<void> {
  await db
    .insertInto('pictures')
    .values({ instance_id: instanceId, jid, status: 'unknown', due_at: dueAt })
    .onConflict((oc) => oc.columns(['instance_id', 'jid']).doUpdateSet({ due_at: dueAt }))
    .execute()
}

/** Keeps the bytes of the latest pictures. The others are fetched again when they are requested. */
export async function clearOldPictureBytes(tx: Db, instanceId: number, kept: number): Promise<void> {
  const oldest = await tx
    .selectFrom('pictures')
    .select('checked_at')
    .where('instance_id', '=', instanceId)
    .where('sealed', 'is not', null)
    .orderBy('checked_at', 'desc')
    .offset(kept)
    .limit(1)
    .executeTakeFirst()
  if (!oldest) return
  await tx
    .updateTable('pictures')
    .set({ sealed: null })
    .where('instance_id', '=', instanceId)
    .where('sealed', 'is not', null)
    .where('checked_at', '<=', oldest.checked_at)
    .execute()
}

export async function deletePictures(tx: Db, instanceId: number): Promise<void> {
  await tx.deleteFrom('pictures').where('instance_id', '=', instanceId).execute()
  await setOwnPictureVersion(tx, instanceId, null)
}

export async function deletePicture(tx: Db, { instanceId, jid }: PictureKey): Promise<void> {
  await tx.deleteFrom('pictures').where('instance_id', '=', instanceId).where('jid', '=', jid).execute()
}

/** Copied to the instance, which can then be shown without a second query. */
export async function setOwnPictureVersion(
  tx: Db,
  instanceId: number,
  version: number | null,
): Promise<void> {
  await tx
    .updateTable('instances')
    .set({ picture_version: version })
    .where('id', '=', instanceId)
    .where(sql<boolean>`picture_version is distinct from ${version}`)
    .execute()
}

/** Pictures that were never requested are searched only among the latest chats. */
const LATEST_CHATS = 200

/** For each connected instance, the picture to request next: the longest due, else that of a recent chat. */
export async function listDuePictures(db: Db, now: number, nodeId?: number): Promise<PictureKey[]> {
  const rows = await db
    .selectFrom('instances')
    .select((eb) => [
      'id',
      eb
        .selectFrom('pictures')
        .select('jid')
        .whereRef('pictures.instance_id', '=', 'instances.id')
        .where('due_at', '<=', now)
        .orderBy('due_at')
        .limit(1)
        .as('due'),
    ])
    .where('state', '=', 'open')
    .where('deleted_at', 'is', null)
    .$if(nodeId !== undefined, (query) => query.where('node_id', '=', nodeId as number))
    .execute()
  const found = await Promise.all(
    rows.map(async ({ id, due }) => ({
      instanceId: id,
      jid: due ?? (await latestChatWithoutPicture(db, id)),
    })),
  )
  return found.filter((key): key is PictureKey => key.jid !== undefined)
}

async function latestChatWithoutPicture(db: Db, instanceId: number): Promise<string | undefined> {
  const row = await db
    .selectFrom((eb) =>
      eb
        .selectFrom('chats')
        .select(['jid', 'active_at'])
        .where('instance_id', '=', instanceId)
        .orderBy('active_at', 'desc')
        .limit(LATEST_CHATS)
        .as('latest'),
    )
    .select('latest.jid')
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('pictures')
            .select('pictures.jid')
            .where('pictures.instance_id', '=', instanceId)
            .whereRef('pictures.jid', '=', 'latest.jid'),
        ),
      ),
    )
    .orderBy('latest.active_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.jid
}
