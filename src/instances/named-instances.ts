// Instances with the name and the token that a client of the Evolution dialect has given them.
import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type { Caller, KeyHolder } from '../accounts/caller.ts'
import { hashKey } from '../accounts/rules.ts'
import type { Deps } from '../context.ts'
import type { Instance } from '../contract/instances.ts'
import type { Scope } from '../contract/scopes.ts'
import { NO_WALLS } from '../contract/wall-values.ts'
import { createBoundedMap } from '../kernel/async/bounded-map.ts'
import { type EntryName, entryName } from '../kernel/async/entry-name.ts'
import { apiNamePattern } from '../kernel/names.ts'
import { isStoreError } from '../kernel/store-error.ts'
import type { Db } from '../store/tables.ts'
import { type InstanceRow, listSimilarNames } from './instance-queries.ts'
import { createInstance, toInstance } from './instances.ts'
import * as rows from './named-queries.ts'

export interface NamedInstance {
  /** The name of the dialect, or the API name of an instance that has none. */
  name: string
  instance: z.output<typeof Instance>
}

export type Creation = { instance: z.output<typeof Instance>; token: string } | 'taken'

/** The name and the token are stored together with the instance. `taken`: another instance has the name or the token. */
export async function createNamedInstance(
  deps: Pick<Deps, 'store' | 'clock' | 'sessions'>,
  caller: Caller,
  input: { name: string; integration?: string | undefined; token?: string | undefined },
): Promise<Creation> {
  const { name, integration, token = randomUUID().toUpperCase() } = input
  try {
    const instance = await createInstance(
      deps,
      caller,
      { instanceName: name, integration },
      async (tx, row) => {
        await rows.insertEvolutionInstance(tx, {
          instance_id: row.id,
          account_id: caller.account.id,
          name,
          token_hash: hashKey(token),
          created_at: row.created_at,
        })
      },
    )
    return { instance, token }
  } catch (error) {
    if (isStoreError(error, 'unique')) return 'taken'
    throw error
  }
}

/** For an instance that the transaction has made. False: another instance has the name or the token. */
export async function nameInstance(
  tx: Db,
  { id, account_id, created_at }: InstanceRow,
  { name, token }: { name: string; token: string },
): Promise<boolean> {
  const token_hash = hashKey(token)
  const isTaken =
    (await rows.findNamedInstance(tx, account_id, name)) ?? (await rows.findTokenHolder(tx, token_hash))
  if (isTaken) return false
  await rows.insertEvolutionInstance(tx, { instance_id: id, account_id, name, token_hash, created_at })
  return true
}

/** Undefined: the account has no such instance. */
export async function findNamedInstance(
  { store }: Pick<Deps, 'store'>,
  caller: Caller,
  name: string,
): Promise<NamedInstance | undefined> {
  const found = await rows.findNamedInstance(store.db, caller.account.id, name)
  return found && { name: found.name, instance: toInstance(found.row, caller.origin) }
}

/** API names of instances whose display name was perhaps meant. */
export const similarNames = ({ store }: Pick<Deps, 'store'>, caller: Caller, given: string) =>
  listSimilarNames(store.db, caller.account.id, apiNamePattern(given))

export const listNamedInstances = async (
  { store }: Pick<Deps, 'store'>,
  caller: Caller,
): Promise<NamedInstance[]> =>
  (await rows.listNamedInstances(store.db, caller.account.id)).map(({ name, row }) => ({
    name,
    instance: toInstance(row, caller.origin),
  }))

/** How much the gateway stores of an instance. */
export const countRows = ({ store }: Pick<Deps, 'store'>, instanceId: number) =>
  rows.countRowsOf(store.db, instanceId)

/** A token manages its own instance, and nothing else of the account. */
const TOKEN_SCOPES: readonly Scope[] = ['send', 'instances', 'contacts', 'webhooks']

export interface TokenHolder extends KeyHolder {
  /** The only instance that the token opens. */
  instanceId: number
}

/** Undefined: no instance has this token. */
export async function findTokenHolder(
  { store }: Pick<Deps, 'store'>,
  token: string,
): Promise<TokenHolder | undefined> {
  const holder = await rows.findTokenHolder(store.db, hashKey(token))
  if (!holder) return undefined
  const instanceId = holder.token.instance_id
  const { account, plan } = holder
  const credential = { kind: 'instance_token', id: instanceId } as const
  return { credential, scopes: TOKEN_SCOPES, walls: NO_WALLS, instanceId, account, plan }
}

// Caches which instance a name of the Evolution dialect means, so that a call needs no query of its own for it.

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
