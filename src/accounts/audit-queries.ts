// The audit list: which key did what.

import { chunksOf } from '../store/chunks.ts'
import type { Db, NewRow, Row } from '../store/tables.ts'

export type AuditRow = Row<'audit'> & { key_name: string | null }

/** In batches: a row has ten columns, and engines limit the parameters of a statement. */
export async function insertAudit(db: Db, entries: readonly NewRow<'audit'>[]): Promise<void> {
  for (const some of chunksOf(entries)) await db.insertInto('audit').values(some).execute()
}

export const listAudit = (
  db: Db,
  filter: { accountId: number; keyId: number | undefined; limit: number; offset: number },
): Promise<AuditRow[]> =>
  db
    .selectFrom('audit')
    .leftJoin('api_keys', 'api_keys.id', 'audit.key_id')
    .selectAll('audit')
    .select('api_keys.name as key_name')
    .where('audit.account_id', '=', filter.accountId)
    .$if(filter.keyId !== undefined, (query) => query.where('audit.key_id', '=', filter.keyId as number))
    .orderBy('audit.id', 'desc')
    .limit(filter.limit)
    .offset(filter.offset)
    .execute()
