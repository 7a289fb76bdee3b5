// Caches which instance a name of the Evolution dialect means, so that a call needs no query of its own for it.

import type { Caller } from '../accounts/caller.ts'
import type { Deps } from '../context.ts'
import { createBoundedMap } from '../kernel/async/bounded-map.ts'
import { type EntryName, entryName } from '../kernel/async/entry-name.ts'
import { findNamedInstance } from './named-instances.ts'

/** What never changes of an instance with a name of the dialect. Everything else is read when it is needed. */
export interface InstanceAlias {
  id: number
  /** The name of the dialect, or the API name of an instance that has none. */
  name: string
  apiName: string
}

export interface InstanceAliases {
  /** Undefined: the account has no such instance. */
  find(caller: Caller, name: string): Promise<InstanceAlias | undefined>
  /** The name means another instance from now on, or none. */
  forget(caller: Caller, name: string): void
}

/**
 * A name can be given again after its instance was deleted. The node that does both notices at once; the others answer for the
 * deleted instance, with 404, until the entry expires.
 */
const CACHE_MS = 900
const MAX_ENTRIES = 10_000

export function createInstanceAliases({ store, clock }: Pick<Deps, 'store' | 'clock'>): InstanceAliases {
  const cached = createBoundedMap<EntryName<'account'>, { alias: InstanceAlias; until: number }>(MAX_ENTRIES)
  return {
    async find(caller, name) {
      const key = entryName('account', caller.account.id, name)
      const known = cached.get(key)
      if (known && clock() < known.until) return known.alias
      const found = await findNamedInstance({ store }, caller, name)
      if (!found) return undefined
      const { id, apiInstanceName } = found.instance
      const alias = { id, name: found.name, apiName: apiInstanceName }
      cached.set(key, { alias, until: clock() + CACHE_MS })
      return alias
    },
    forget: (caller, name) => void cached.delete(entryName('account', caller.account.id, name)),
  }
}
