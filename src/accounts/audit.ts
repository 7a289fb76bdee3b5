// The audit list of an account.

import type { Deps } from '../context.ts'
import { type PageQuery, page, rowsToRead } from '../kernel/page.ts'
import { iso } from '../kernel/time.ts'
import * as rows from './audit-queries.ts'
import type { Caller } from './caller.ts'

export async function listAudit(
  { store }: Pick<Deps, 'store'>,
  caller: Caller,
  query: PageQuery & { keyId?: number | undefined },
) {
  const found = await rows.listAudit(store.db, {
    accountId: caller.account.id,
    keyId: query.keyId,
    ...rowsToRead(query),
  })
  return page(found.map(toEntry), query)
}

const toEntry = (row: rows.AuditRow) => ({
  id: row.id,
  at: iso(row.at),
  keyId: row.key_id,
  keyName: row.key_name,
  action: row.action,
  instanceName: row.instance,
  chat: row.chat,
  subject: row.subject,
  status: row.status,
  reason: row.reason,
})
