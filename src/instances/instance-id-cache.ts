// Caches instance ids by API name, so that a send needs one query instead of two.

import type { Deps } from '../context.ts'
import { createBoundedMap } from '../kernel/async/bounded-map.ts'
import { type EntryName, entryName } from '../kernel/async/entry-name.ts'
import { requireInstance } from './instances.ts'

const MAX_ENTRIES = 10_000

/**
 * Returns the id of an account's instance; refuses as `requireInstance` does. Name, id and owner of an instance never change, so
 * entries never become wrong. Whether the instance was deleted meanwhile is checked when the store accepts the send.
 */
export type InstanceIdCache = (accountId: number, apiName: string) => Promise<number>

export function createInstanceIdCache(deps: Pick<Deps, 'store'>): InstanceIdCache {
  const ids = createBoundedMap<EntryName<'account'>, number>(MAX_ENTRIES)
  return async (accountId, apiName) => {
    const name = entryName('account', accountId, apiName)
    const cached = ids.get(name)
    if (cached !== undefined) return cached
    const { id } = await requireInstance(deps, accountId, apiName)
    ids.set(name, id)
    return id
  }
}
