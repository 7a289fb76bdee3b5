// Accounts and their subscriptions, as the operator manages them.
import type { z } from 'zod'
import type { Deps } from '../context.ts'
import type { Account } from '../contract/admin.ts'
import { GatewayError } from '../errors.ts'
import { listInstances } from '../instances/instance-queries.ts'
import { type Page, type PageQuery, page, rowsToRead } from '../kernel/page.ts'
import { fromIso, fromIsoOrNull, iso } from '../kernel/time.ts'
import { lockAccount, lockInstancesOf } from '../store/locks.ts'
import type { Db, RowChange } from '../store/tables.ts'
import { accountScope } from '../store/vault.ts'
import * as rows from './account-queries.ts'
import { insertFirstKey } from './api-keys.ts'
import { requirePlan } from './plans.ts'
import { toSubscription } from './rules.ts'

type AccountDeps = Pick<Deps, 'store' | 'clock'>

export interface SubscriptionFields {
  planId?: number | undefined
  status?: string | undefined
  currentPeriodStart?: string | undefined
  currentPeriodEnd?: string | null | undefined
  trialEndsAt?: string | null | undefined
  expiresAt?: string | null | undefined
}

export async function listAccounts(
  deps: AccountDeps,
  query: PageQuery,
): Promise<Page<z.output<typeof Account>>> {
  const { items, hasMore } = page(await rows.listAccounts(deps.store.db, rowsToRead(query)), query)
  return { items: await Promise.all(items.map((row) => toAccount(deps, deps.store.db, row))), hasMore }
}

export async function getAccount(deps: AccountDeps, id: number) {
  return toAccount(deps, deps.store.db, await requireAccount(deps.store.db, id))
}

export async function createAccount(deps: AccountDeps, name: string, subscription: SubscriptionFields) {
  return deps.store.transaction(async (tx) => {
    const now = deps.clock()
    const plan = await requirePlan(tx, subscription.planId ?? 0)
    const row = await rows.insertAccount(tx, {
      name,
      plan_id: plan.id,
      status: subscription.status ?? 'active',
      current_period_start: subscription.currentPeriodStart ? fromIso(subscription.currentPeriodStart) : now,
      current_period_end: fromIsoOrNull(subscription.currentPeriodEnd ?? null),
      trial_ends_at: fromIsoOrNull(subscription.trialEndsAt ?? null),
      expires_at: fromIsoOrNull(subscription.expiresAt ?? null),
      created_at: now,
      updated_at: now,
    })
    const { key } = await insertFirstKey(deps, tx, row.id)
    return { account: await toAccount(deps, tx, row), key }
  })
}

export async function renameAccount(deps: AccountDeps, id: number, name: string) {
  return changeAccount(deps, id, { name })
}

export async function updateSubscription(deps: AccountDeps, id: number, fields: SubscriptionFields) {
  const change: RowChange<'accounts'> = {}
  if (fields.planId !== undefined) change.plan_id = (await requirePlan(deps.store.db, fields.planId)).id
  if (fields.status !== undefined) change.status = fields.status
  if (fields.currentPeriodStart !== undefined)
    change.current_period_start = fromIso(fields.currentPeriodStart)
  if (fields.currentPeriodEnd !== undefined)
    change.current_period_end = fromIsoOrNull(fields.currentPeriodEnd)
  if (fields.trialEndsAt !== undefined) change.trial_ends_at = fromIsoOrNull(fields.trialEndsAt)
  if (fields.expiresAt !== undefined) change.expires_at = fromIsoOrNull(fields.expiresAt)
  return changeAccount(deps, id, change)
}

async function changeAccount(deps: AccountDeps, id: number, change: RowChange<'accounts'>) {
  const row = await rows.updateAccount(deps.store.db, id, { ...change, updated_at: deps.clock() })
  if (!row) throw new GatewayError('account_not_found')
  return toAccount(deps, deps.store.db, row)
}

/** Files of its instances are removed after the commit, so that a rollback loses none of them. */
export async function deleteAccount(
  { store, vault, files }: Pick<Deps, 'store' | 'vault' | 'files'>,
  id: number,
): Promise<void> {
  const instanceIds = await store.transaction(async (tx) => {
    const deletedInstances = await lockInstancesOf(tx, id)
    if (!(await lockAccount(tx, id))) throw new GatewayError('account_not_found')
    const instances = await listInstances(tx, id)
    if (instances.length > 0) throw new GatewayError('account_has_instances')
    await rows.deleteAccountRows(tx, id)
    await vault.destroy(tx, accountScope(id))
    await rows.deleteAccount(tx, id)
    return deletedInstances
  })
  await files.forget(instanceIds)
}

export async function requireAccount(db: Db, id: number): Promise<rows.AccountRow> {
  const row = await rows.findAccount(db, id)
  if (!row) throw new GatewayError('account_not_found')
  return row
}

async function toAccount(
  { clock }: Pick<Deps, 'clock'>,
  db: Db,
  row: rows.AccountRow,
): Promise<z.output<typeof Account>> {
  const plan = await requirePlan(db, row.plan_id)
  return {
    id: row.id,
    name: row.name,
    plan: { id: plan.id, name: plan.name },
    subscription: toSubscription(row, clock()),
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
  }
}
