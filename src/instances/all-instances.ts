// The instances of all accounts, for the operator.

import { requireAccount } from '../accounts/accounts.ts'
import type { Deps } from '../context.ts'
import { type PageQuery, page, rowsToRead } from '../kernel/page.ts'
import { type AccountInstanceRow, listAllInstances as listRows } from './activity-queries.ts'
import { toInstance } from './instances.ts'

export interface AllInstancesQuery extends PageQuery {
  accountId?: number | undefined
  state?: string | undefined
  search?: string | undefined
}

export async function listAllInstances(
  { store }: Pick<Deps, 'store'>,
  query: AllInstancesQuery,
  origin: string,
) {
  const { accountId, state } = query
  if (accountId !== undefined) await requireAccount(store.db, accountId)
  const filter = { accountId, state, search: query.search?.toLowerCase() || undefined }
  const found = await listRows(store.db, { ...filter, ...rowsToRead(query) })
  return page(
    found.map((row) => toAccountInstance(row, origin)),
    query,
  )
}

const toAccountInstance = (row: AccountInstanceRow, origin: string) => ({
  ...toInstance(row, origin),
  account: { id: row.account_id, name: row.account_name },
  queued: row.queued_count,
})
