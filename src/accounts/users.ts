// Users: the people of an account, as the operator manages them.
import type { z } from 'zod'
import type { Deps } from '../context.ts'
import type { User } from '../contract/admin.ts'
import { GatewayError } from '../errors.ts'
import { type Page, type PageQuery, page, rowsToRead } from '../kernel/page.ts'
import { isStoreError } from '../kernel/store-error.ts'
import { iso } from '../kernel/time.ts'
import { lockAccount } from '../store/locks.ts'
import type { RowChange } from '../store/tables.ts'
import * as rows from './account-queries.ts'
import { decrementUsage } from './account-queries.ts'
import { requireAccount } from './accounts.ts'
import { requirePlan } from './plans.ts'
import { takeQuota } from './take-quota.ts'

type UserDeps = Pick<Deps, 'store' | 'clock'>

export interface UserFields {
  name?: string | undefined
  email?: string | undefined
}

export async function listUsers(
  { store }: Pick<Deps, 'store'>,
  accountId: number,
  query: PageQuery,
): Promise<Page<z.output<typeof User>>> {
  await requireAccount(store.db, accountId)
  const found = await rows.listUsers(store.db, accountId, rowsToRead(query))
  return page(found.map(toUser), query)
}

export async function createUser(deps: UserDeps, accountId: number, fields: Required<UserFields>) {
  const now = deps.clock()
  return refuseDuplicate(() =>
    deps.store.transaction(async (tx) => {
      await lockAccount(tx, accountId)
      const account = await requireAccount(tx, accountId)
      await takeQuota(tx, accountId, await requirePlan(tx, account.plan_id), 'users')
      const row = await rows.insertUser(tx, {
        account_id: accountId,
        name: fields.name as string,
        email: (fields.email as string).toLowerCase(),
        created_at: now,
        updated_at: now,
      })
      return toUser(row)
    }),
  )
}

export async function updateUser(deps: UserDeps, accountId: number, id: number, fields: UserFields) {
  const change: RowChange<'users'> = { updated_at: deps.clock() }
  if (fields.name !== undefined) change.name = fields.name
  if (fields.email !== undefined) change.email = fields.email.toLowerCase()
  const row = await refuseDuplicate(() =>
    deps.store.transaction(async (tx) => {
      await lockAccount(tx, accountId)
      return rows.updateUser(tx, accountId, id, change)
    }),
  )
  if (!row) throw new GatewayError('user_not_found')
  return toUser(row)
}

export async function deleteUser(
  { store }: Pick<Deps, 'store'>,
  accountId: number,
  id: number,
): Promise<void> {
  await store.transaction(async (tx) => {
    await lockAccount(tx, accountId)
    await decrementUsage(tx, { accountId, resource: 'users', period: 0 })
    const deleted = await rows.deleteUser(tx, accountId, id)
    if (!deleted) throw new GatewayError('user_not_found')
  })
}

async function refuseDuplicate<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (isStoreError(error, 'unique')) throw new GatewayError('user_exists', {}, { cause: error })
    throw error
  }
}

const toUser = (row: rows.UserRow): z.output<typeof User> => ({
  id: row.id,
  accountId: row.account_id,
  name: row.name,
  email: row.email,
  createdAt: iso(row.created_at),
  updatedAt: iso(row.updated_at),
})
