// Quick replies: texts that the people of an account send often.
import type { Db, NewRow, Row, RowChange } from '../store/tables.ts'

export type QuickReplyRow = Row<'quick_replies'>

export const listQuickReplies = (db: Db, accountId: number): Promise<QuickReplyRow[]> =>
  db.selectFrom('quick_replies').selectAll().where('account_id', '=', accountId).execute()

export async function countQuickReplies(db: Db, accountId: number): Promise<number> {
  const row = await db
    .selectFrom('quick_replies')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return row.count
}

export const insertQuickReply = (tx: Db, row: NewRow<'quick_replies'>): Promise<QuickReplyRow> =>
  tx.insertInto('quick_replies').values(row).returningAll().executeTakeFirstOrThrow()

export const updateQuickReply = (
  tx: Db,
  { accountId, id }: { accountId: number; id: number },
  change: RowChange<'quick_replies'>,
): Promise<QuickReplyRow | undefined> =>
  tx
    .updateTable('quick_replies')
    .set(change)
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()

/** False: the account has no such quick reply. */
export async function deleteQuickReply(tx: Db, accountId: number, id: number): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('quick_replies')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return deleted !== undefined
}
