// What the operator manages: plans, accounts with their subscription, and users (decisions 4).
import type { z } from 'zod'
import type { Interval } from '../contract/account.ts'
import type { Account, Plan, User } from '../contract/admin.ts'
import { GatewayError } from '../errors.ts'
import * as rows from '../store/queries/accounts.ts'
import { type AccountInstanceRow, listAllInstances as allInstances } from '../store/queries/activity.ts'
import { listInstances } from '../store/queries/instances.ts'
import { giveBackUsage } from '../store/queries/usage.ts'
import { isStoreError } from '../store/store-error.ts'
import type { Db, RowChange } from '../store/tables.ts'
import { accountScope } from '../store/vault.ts'
import { insertFirstKey } from './api-keys.ts'
import type { Deps } from './deps.ts'
import { toInstance } from './instances.ts'
import { type PlanLimits, takeQuota } from './quota.ts'
import { toSubscription } from './subscription.ts'
import { fromIso, fromIsoOrNull, iso } from './time.ts'

interface PageQuery {
  page: number
  limit: number
}
const toPage = ({ page, limit }: PageQuery): rows.Page => ({ limit: limit + 1, offset: (page - 1) * limit })

export interface PlanFields {
  name?: string | undefined
  interval?: Interval | undefined
  currency?: string | undefined
  amount?: number | undefined
  limits?: PlanLimits | undefined
  features?: z.output<typeof Plan>['features'] | undefined
  requestsPerSecond?: number | null | undefined
}

export async function listPlans({ store }: Pick<Deps, 'store'>, query: PageQuery) {
  const found = await rows.listPlans(store.db, toPage(query))
  return { plans: found.slice(0, query.limit).map(toPlan), hasMore: found.length > query.limit }
}

export async function listAllInstances(
  { store }: Pick<Deps, 'store'>,
  query: PageQuery & {
    accountId?: number | undefined
    state?: string | undefined
    search?: string | undefined
  },
) {
  const { accountId, state } = query
  if (accountId !== undefined) await requireAccount(store.db, accountId)
  const filter = { accountId, state, search: query.search?.toLowerCase() || undefined }
  const found = await allInstances(store.db, { ...filter, ...toPage(query) })
  return {
    instances: found.slice(0, query.limit).map(toAccountInstance),
    hasMore: found.length > query.limit,
  }
}

const toAccountInstance = (row: AccountInstanceRow) => ({
  ...toInstance(row),
  account: { id: row.account_id, name: row.account_name },
  queued: row.queued_count,
})

export async function getPlan({ store }: Pick<Deps, 'store'>, id: number) {
  return toPlan(await requirePlan(store.db, id))
}

export async function createPlan(
  { store, clock }: Pick<Deps, 'store' | 'clock'>,
  fields: Required<PlanFields>,
) {
  const now = clock()
  return toPlan(await insertPlan(store.db, fields, now))
}

export const insertPlan = (tx: Db, fields: Required<PlanFields>, now: number): Promise<rows.PlanRow> =>
  rows.insertPlan(tx, {
    name: fields.name as string,
    interval: fields.interval as Interval,
    currency: fields.currency as string,
    amount: fields.amount as number,
    limits: JSON.stringify(fields.limits),
    features: JSON.stringify(fields.features),
    requests_per_second: fields.requestsPerSecond ?? null,
    created_at: now,
    updated_at: now,
  })

export async function updatePlan(
  { store, clock }: Pick<Deps, 'store' | 'clock'>,
  id: number,
  fields: PlanFields,
) {
  const change: RowChange<'plans'> = { updated_at: clock() }
  if (fields.name !== undefined) change.name = fields.name
  if (fields.interval !== undefined) change.interval = fields.interval
  if (fields.currency !== undefined) change.currency = fields.currency
  if (fields.amount !== undefined) change.amount = fields.amount
  if (fields.limits !== undefined) change.limits = JSON.stringify(fields.limits)
  if (fields.features !== undefined) change.features = JSON.stringify(fields.features)
  if (fields.requestsPerSecond !== undefined) change.requests_per_second = fields.requestsPerSecond
  const row = await rows.updatePlan(store.db, id, change)
  if (!row) throw new GatewayError('plan_not_found')
  return toPlan(row)
}

export async function deletePlan({ store }: Pick<Deps, 'store'>, id: number): Promise<void> {
  try {
    const gone = await rows.deletePlan(store.db, id)
    if (!gone) throw new GatewayError('plan_not_found')
  } catch (error) {
    if (isStoreError(error, 'reference')) throw new GatewayError('plan_in_use', {}, { cause: error })
    throw error
  }
}

async function requirePlan(db: Db, id: number): Promise<rows.PlanRow> {
  const row = await rows.findPlan(db, id)
  if (!row) throw new GatewayError('plan_not_found')
  return row
}

export interface SubscriptionFields {
  planId?: number | undefined
  status?: string | undefined
  currentPeriodStart?: string | undefined
  currentPeriodEnd?: string | null | undefined
  trialEndsAt?: string | null | undefined
  expiresAt?: string | null | undefined
}

type AccountDeps = Pick<Deps, 'store' | 'clock' | 'vault'>

export async function listAccounts(deps: AccountDeps, query: PageQuery) {
  const found = await rows.listAccounts(deps.store.db, toPage(query))
  const accounts = await Promise.all(
    found.slice(0, query.limit).map((row) => toAccount(deps, deps.store.db, row)),
  )
  return { accounts, hasMore: found.length > query.limit }
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

export async function deleteAccount(deps: AccountDeps, id: number): Promise<void> {
  await deps.store.transaction(async (tx) => {
    await requireAccount(tx, id)
    const instances = await listInstances(tx, id)
    if (instances.length > 0) throw new GatewayError('account_has_instances')
    await rows.deleteAccountRemains(tx, id)
    await deps.vault.destroy(tx, accountScope(id))
    await rows.deleteAccount(tx, id)
  })
}

export async function requireAccount(db: Db, id: number): Promise<rows.AccountRow> {
  const row = await rows.findAccount(db, id)
  if (!row) throw new GatewayError('account_not_found')
  return row
}

export interface UserFields {
  name?: string | undefined
  email?: string | undefined
}

export async function listUsers(deps: AccountDeps, accountId: number, query: PageQuery) {
  await requireAccount(deps.store.db, accountId)
  const found = await rows.listUsers(deps.store.db, accountId, toPage(query))
  return { users: found.slice(0, query.limit).map(toUser), hasMore: found.length > query.limit }
}

export async function createUser(deps: AccountDeps, accountId: number, fields: Required<UserFields>) {
  const now = deps.clock()
  return uniqueUser(() =>
    deps.store.transaction(async (tx) => {
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

export async function updateUser(deps: AccountDeps, accountId: number, id: number, fields: UserFields) {
  const change: RowChange<'users'> = { updated_at: deps.clock() }
  if (fields.name !== undefined) change.name = fields.name
  if (fields.email !== undefined) change.email = fields.email.toLowerCase()
  const row = await uniqueUser(() => rows.updateUser(deps.store.db, accountId, id, change))
  if (!row) throw new GatewayError('user_not_found')
  return toUser(row)
}

export async function deleteUser(deps: AccountDeps, accountId: number, id: number): Promise<void> {
  await deps.store.transaction(async (tx) => {
    const gone = await rows.deleteUser(tx, accountId, id)
    if (!gone) throw new GatewayError('user_not_found')
    await giveBackUsage(tx, { accountId, resource: 'users', period: 0 })
  })
}

async function uniqueUser<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isStoreError(error, 'unique')) throw new GatewayError('user_exists', {}, { cause: error })
    throw error
  }
}

const toPlan = (row: rows.PlanRow): z.output<typeof Plan> => ({
  id: row.id,
  name: row.name,
  interval: row.interval as Interval,
  currency: row.currency,
  amount: row.amount,
  limits: JSON.parse(row.limits) as PlanLimits,
  features: JSON.parse(row.features) as z.output<typeof Plan>['features'],
  requestsPerSecond: row.requests_per_second,
  createdAt: iso(row.created_at),
  updatedAt: iso(row.updated_at),
})

async function toAccount(deps: AccountDeps, db: Db, row: rows.AccountRow): Promise<z.output<typeof Account>> {
  const plan = await requirePlan(db, row.plan_id)
  return {
    id: row.id,
    name: row.name,
    plan: { id: plan.id, name: plan.name },
    subscription: toSubscription(row, deps.clock()),
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
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
