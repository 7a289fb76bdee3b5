// Templates of messages that clients of the Cloud API dialect have stored.
import type { Db, NewRow, Row } from '../store/tables.ts'

export type TemplateRow = Row<'cloud_templates'>

export const insertTemplate = (tx: Db, row: NewRow<'cloud_templates'>): Promise<TemplateRow> =>
  tx.insertInto('cloud_templates').values(row).returningAll().executeTakeFirstOrThrow()

/** The account stores it once: again after it was deleted, or while there is another one of this name, nothing is inserted. */
export async function insertFirstTemplate(tx: Db, row: NewRow<'cloud_templates'>): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('accounts')
    .set({ has_first_template: 1 })
    .where('id', '=', row.account_id)
    .where('has_first_template', '=', 0)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return
  await tx
    .insertInto('cloud_templates')
    .values(row)
    .onConflict((conflict) => conflict.columns(['account_id', 'name', 'language']).doNothing())
    .execute()
}

export async function countTemplates(db: Db, accountId: number): Promise<number> {
  const row = await db
    .selectFrom('cloud_templates')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return row.count
}

/** `name`: only those of this name, one per language. */
export const listTemplates = (db: Db, accountId: number, name: string | undefined): Promise<TemplateRow[]> =>
  db
    .selectFrom('cloud_templates')
    .selectAll()
    .where('account_id', '=', accountId)
    .$if(name !== undefined, (query) => query.where('name', '=', name as string))
    .orderBy('id')
    .execute()

export const findTemplate = (
  db: Db,
  accountId: number,
  { name, language }: Pick<TemplateRow, 'name' | 'language'>,
): Promise<TemplateRow | undefined> =>
  db
    .selectFrom('cloud_templates')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('name', '=', name)
    .where('language', '=', language)
    .executeTakeFirst()

/** In all languages, or only this id. Returns how many there were. */
export async function deleteTemplates(
  db: Db,
  accountId: number,
  { name, id }: { name: string; id: number | undefined },
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('cloud_templates')
    .where('account_id', '=', accountId)
    .where('name', '=', name)
    .$if(id !== undefined, (query) => query.where('id', '=', id as number))
    .executeTakeFirst()
  return Number(numDeletedRows)
}
