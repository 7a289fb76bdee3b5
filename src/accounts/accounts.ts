// Accounts, their subscriptions and limits, and the first account that a start creates.
import type { z } from 'zod'
import type { Deps } from '../context.ts'
import {
  type accountLimits,
  type Interval,
  type Resource,
  type ResourceLimit,
  UNLIMITED,
} from '../contract/account.ts'
import type { Account } from '../contract/admin.ts'
import { GatewayError } from '../errors.ts'
import { listInstances } from '../instances/instance-queries.ts'
import { type Page, type PageQuery, page, rowsToRead } from '../kernel/page.ts'
import { fromIso, fromIsoOrNull, iso } from '../kernel/time.ts'
import { lockAccount, lockInstancesOf } from '../store/locks.ts'
import type { Db, RowChange } from '../store/tables.ts'
import { accountScope } from '../store/vault.ts'
import * as rows from './account-queries.ts'
import { findFirstAccount, insertAccount, readUsage } from './account-queries.ts'
import { hasOtherEnvironmentKey, insertFirstKey, useEnvironmentKey } from './api-keys.ts'
import type { Caller } from './caller.ts'
import { insertPlan, requirePlan } from './plans.ts'
import { currentPeriod, limitsOf, toSubscription, usageOf } from './rules.ts'

// Accounts and their subscriptions, as the operator manages them.

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

// The limits of an account: plan, subscription, and how much of each resource is used.

type Limits = Omit<z.output<typeof accountLimits.answer>, 'success'>

export async function readAccountLimits(
  deps: Pick<Deps, 'store' | 'clock'>,
  caller: Caller,
): Promise<Limits> {
  const now = deps.clock()
  const { account, plan } = caller
  const planLimits = limitsOf(plan)
  const limit = async (
    resource: Resource,
    period: number,
  ): Promise<z.output<typeof ResourceLimit> | null> => {
    const allowed = planLimits[resource]
    if (allowed === null) return null
    return usageOf(allowed, await readUsage(deps.store.db, { accountId: account.id, resource, period }))
  }
  return {
    account: { teamId: account.id, teamName: account.name },
    plan: {
      id: plan.id,
      name: plan.name,
      interval: plan.interval as Interval,
      currency: plan.currency,
      amount: plan.amount,
    },
    subscription: toSubscription(account, now),
    limits: {
      users: await limit('users', 0),
      contacts: await limit('contacts', 0),
      instances: await limit('instances', 0),
      messages: await limit('messages', messagePeriod(caller, now)),
    },
    features: JSON.parse(plan.features) as Limits['features'],
  }
}

/** The start of the period in which messages of the account are counted. */
export const messagePeriod = ({ account, plan }: Pick<Caller, 'account' | 'plan'>, now: number): number =>
  currentPeriod(account.current_period_start, plan.interval as Interval, now)

// The first start: creates a plan without limits, an account on it, and the account's first key.

/** Other nodes run with another `API_KEY`. */
export class OtherApiKeyError extends Error {}

/**
 * Creates what is missing. Returns the key of the first account if one was created; it cannot be read again later. `saveKey`
 * writes the key to a file before the commit, so that a crash cannot leave an account whose key is lost.
 */
export async function bootstrap(
  deps: Pick<Deps, 'store' | 'clock'>,
  environmentKey: string | undefined,
  saveKey: (key: string) => Promise<void>,
  /** False: other nodes run with the same key, and this one must not take it from them. */
  mayReplaceKey = true,
): Promise<{ newKey: string | undefined }> {
  return deps.store.transaction(async (tx) => {
    const now = deps.clock()
    await waitForOtherNodes(tx)
    const known = await findFirstAccount(tx)
    if (known) {
      await lockAccount(tx, known.id)
      if (environmentKey === undefined) return { newKey: undefined }
      if (!mayReplaceKey && (await hasOtherEnvironmentKey(tx, environmentKey))) throw new OtherApiKeyError()
      await useEnvironmentKey(deps, tx, known.id, environmentKey)
      return { newKey: undefined }
    }
    const plan = await insertPlan(tx, SELF_HOSTED_PLAN, now)
    const account = await insertAccount(tx, {
      name: 'Default',
      plan_id: plan.id,
      status: 'active',
      current_period_start: now,
      current_period_end: null,
      trial_ends_at: null,
      expires_at: null,
      created_at: now,
      updated_at: now,
    })
    if (environmentKey === undefined) {
      const { key } = await insertFirstKey(deps, tx, account.id)
      await saveKey(key)
      return { newKey: key }
    }
    await useEnvironmentKey(deps, tx, account.id, environmentKey)
    return { newKey: undefined }
  })
}

/** When two nodes start at once on an empty database, the second waits here until the first has committed. */
async function waitForOtherNodes(tx: Db): Promise<void> {
  await tx
    .insertInto('facts')
    .values({ name: 'bootstrap', value: 'done' })
    .onConflict((oc) => oc.column('name').doUpdateSet({ value: 'done' }))
    .execute()
}

const SELF_HOSTED_PLAN = {
  name: 'Self-hosted',
  interval: 'month' as const,
  currency: 'usd',
  amount: 0,
  limits: { users: UNLIMITED, contacts: UNLIMITED, instances: UNLIMITED, messages: UNLIMITED } as const,
  features: { ai: false, flowBuilder: false, campaigns: false, templates: false, voiceCalls: false },
  requestsPerSecond: null,
}
