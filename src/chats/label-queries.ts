// Labels of an instance, and the chats that have them.

import { chunksOf } from '../store/chunks.ts'
import type { Db, NewRow, Row } from '../store/tables.ts'

export type LabelRow = Row<'labels'> & { chats: number }

/** Deleted ones are left out. Sorted by their ids as numbers, which is the order of their creation. */
export const listLabels = (db: Db, instanceId: number): Promise<LabelRow[]> =>
  withCount(db, instanceId)
    .where('labels.deleted', '=', 0)
    .orderBy((eb) => eb.fn('length', ['labels.label_id']))
    .orderBy('labels.label_id')
    .execute()

/** Undefined for a deleted one. */
export const findLabel = (db: Db, instanceId: number, labelId: string): Promise<LabelRow | undefined> =>
  withCount(db, instanceId)
    .where('labels.label_id', '=', labelId)
    .where('labels.deleted', '=', 0)
    .executeTakeFirst()

const withCount = (db: Db, instanceId: number) =>
  db
    .selectFrom('labels')
    .selectAll('labels')
    .select((eb) =>
      eb
        .selectFrom('chat_labels')
        .whereRef('chat_labels.instance_id', '=', 'labels.instance_id')
        .whereRef('chat_labels.label_id', '=', 'labels.label_id')
        .select((count) => count.fn.countAll<number>().as('chats'))
        .$asScalar()
        .$notNull()
        .as('chats'),
    )
    .where('labels.instance_id', '=', instanceId)

/** Also deleted ones. */
export const listAllLabels = (db: Db, instanceId: number): Promise<Row<'labels'>[]> =>
  db.selectFrom('labels').selectAll().where('instance_id', '=', instanceId).execute()

export async function saveLabel(tx: Db, row: NewRow<'labels'>): Promise<void> {
  const { instance_id: _instance, label_id: _label, ...change } = row
  await tx
    .insertInto('labels')
    .values(row)
    .onConflict((oc) => oc.columns(['instance_id', 'label_id']).doUpdateSet(change))
    .execute()
  if (row.deleted === 1)
    await tx
      .deleteFrom('chat_labels')
      .where('instance_id', '=', row.instance_id)
      .where('label_id', '=', row.label_id)
      .execute()
}

/** False: the chat had the label, or did not have it, already. */
export async function setChatLabel(tx: Db, row: Row<'chat_labels'>, labeled: boolean): Promise<boolean> {
  const changed = labeled
    ? tx
        .insertInto('chat_labels')
        .values(row)
        .onConflict((oc) => oc.columns(['chat_id', 'label_id']).doNothing())
        .returning('chat_id')
    : tx
        .deleteFrom('chat_labels')
        .where('chat_id', '=', row.chat_id)
        .where('label_id', '=', row.label_id)
        .returning('chat_id')
  return (await changed.executeTakeFirst()) !== undefined
}

/** Two chats become one, which has the labels of both. */
export async function moveChatLabels(tx: Db, from: number, to: number): Promise<void> {
  await tx
    .insertInto('chat_labels')
    .columns(['chat_id', 'instance_id', 'label_id'])
    .expression((eb) =>
      eb
        .selectFrom('chat_labels')
        .select((of) => [of.cast<number>(of.val(to), 'bigint').as('chat_id'), 'instance_id', 'label_id'])
        .where('chat_id', '=', from),
    )
    .onConflict((oc) => oc.columns(['chat_id', 'label_id']).doNothing())
    .execute()
}

export interface ShownLabel {
  id: string
  name: string
  color: number
}

/** The labels of each of these chats. */
export async function findLabelsOf(db: Db, chatIds: readonly number[]): Promise<Map<number, ShownLabel[]>> {
  const found = new Map<number, ShownLabel[]>()
  for (const ids of chunksOf(chatIds)) {
    const rows = await db
      .selectFrom('chat_labels')
      .innerJoin('labels', (join) =>
        join
          .onRef('labels.instance_id', '=', 'chat_labels.instance_id')
          .onRef('labels.label_id', '=', 'chat_labels.label_id'),
      )
      .select(['chat_labels.chat_id', 'labels.label_id', 'labels.name', 'labels.color'])
      .where('chat_labels.chat_id', 'in', ids)
      .where('labels.deleted', '=', 0)
      .orderBy((eb) => eb.fn('length', ['labels.label_id']))
      .orderBy('labels.label_id')
      .execute()
    for (const { chat_id: chat, label_id: id, name, color } of rows)
      found.set(chat, [...(found.get(chat) ?? []), { id, name, color }])
  }
  return found
}
