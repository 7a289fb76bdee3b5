// The first start: creates a plan without limits, an account on it, and the account's first key.

import type { Deps } from '../context.ts'
import { UNLIMITED } from '../contract/account.ts'
import { lockAccount } from '../store/locks.ts'
import type { Db } from '../store/tables.ts'
import { findFirstAccount, insertAccount } from './account-queries.ts'
import { hasOtherEnvironmentKey, insertFirstKey, useEnvironmentKey } from './api-keys.ts'
import { insertPlan } from './plans.ts'

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
