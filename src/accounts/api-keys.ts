// API keys: finding the caller by key, creating, rotating and revoking keys.

import type { z } from 'zod'
import type { Deps } from '../context.ts'
import type { ApiKey } from '../contract/account.ts'
import { SCOPES, type Scope } from '../contract/scopes.ts'
import { hasWalls, NO_WALLS, type Walls } from '../contract/wall-values.ts'
import { GatewayError, invalidField } from '../errors.ts'
import { listInstances } from '../instances/instance-queries.ts'
import { fromIso, fromIsoOrNull, iso, isoOrNull } from '../kernel/time.ts'
import { lockAccount } from '../store/locks.ts'
import type { Db } from '../store/tables.ts'
import { apiKeyId, type Caller, type KeyHolder, mayUse } from './caller.ts'
import * as rows from './key-queries.ts'
import { hashKey, keyHint, mayBeKey, newKeyText, reachesInstance } from './rules.ts'

const HOUR_MS = 60 * 60 * 1000
type KeyDeps = Pick<Deps, 'store' | 'clock'>

/** The account that the key belongs to; undefined for a key that is unknown, revoked or expired. */
export const findCaller = async (deps: KeyDeps, key: string): Promise<KeyHolder | undefined> =>
  mayBeKey(key) ? findCallerByHash(deps, hashKey(key)) : undefined

export async function findCallerByHash(
  { store, clock }: KeyDeps,
  hash: string,
): Promise<KeyHolder | undefined> {
  const holder = await rows.findKeyHolder(store.db, hash)
  if (!holder || !isUsable(holder.key, clock())) return undefined
  const { key, account, plan } = holder
  return {
    credential: { kind: 'api_key', id: key.id },
    scopes: scopesOf(key),
    walls: wallsOf(key),
    account,
    plan,
  }
}

/** What the column `walls` has: also the scopes, because programs from before walls see only `scopes`. */
interface StoredWalls extends Walls {
  scopes: Scope[]
}

/** In `scopes` of a key with walls: a program that does not know walls refuses the key everywhere (decision 0158). */
const HIDDEN_SCOPES = JSON.stringify(['walled'])

const storedWalls = (row: rows.ApiKeyRow): StoredWalls | null =>
  row.walls === null ? null : (JSON.parse(row.walls) as StoredWalls)
const scopesOf = (row: rows.ApiKeyRow): Scope[] =>
  storedWalls(row)?.scopes ?? (JSON.parse(row.scopes) as Scope[])

export function wallsOf(row: rows.ApiKeyRow): Walls {
  // Keys from before a wall existed have no value for it.
  const { scopes: _, ...walls } = { ...NO_WALLS, ...storedWalls(row), scopes: [] }
  return walls
}
export const isUsable = (row: rows.ApiKeyRow, now: number): boolean =>
  row.revoked_at === null && (row.expires_at === null || row.expires_at > now)

export const listApiKeys = async ({ store }: KeyDeps, accountId: number) =>
  (await rows.listApiKeys(store.db, accountId)).map(toApiKey)

/** The key of the caller, without its secret. */
export async function currentApiKey({ store }: KeyDeps, caller: Caller) {
  const { account } = caller
  const row = await rows.findApiKey(store.db, account.id, apiKeyId(caller))
  // The account was deleted during the request.
  if (!row) throw new GatewayError('unauthorized')
  return { apiKey: toApiKey(row), instances: await namedByKey(store.db, { account, ...limitsOf(row) }) }
}

/** Scopes of calls that name an instance. */
const NAMING_SCOPES: readonly Scope[] = ['send', 'read', 'contacts', 'instances:use', 'images']

/** A key that may use an instance has to know its name. */
async function namedByKey(
  db: Db,
  { account, scopes, walls }: Pick<KeyHolder, 'account' | 'scopes' | 'walls'>,
) {
  if (!mayUse({ scopes }, NAMING_SCOPES)) return []
  const instances = await listInstances(db, account.id)
  return instances
    .filter(({ api_name }) => reachesInstance(walls, api_name))
    .map((row) => ({ apiInstanceName: row.api_name, displayName: row.display_name }))
}

const limitsOf = (row: rows.ApiKeyRow) => ({ scopes: scopesOf(row), walls: wallsOf(row) })

export interface NewKey extends Partial<Walls> {
  name: string
  scopes: readonly Scope[]
  expiresAt: string | null
}

export interface CreatedKey {
  apiKey: z.output<typeof ApiKey>
  key: string
}

/** `caller` is absent for the operator, who is not limited by scopes. */
export async function createApiKey(
  deps: KeyDeps,
  accountId: number,
  input: NewKey,
  caller?: Caller,
): Promise<CreatedKey> {
  checkNewKey(deps, input, caller)
  return deps.store.transaction(async (tx) => {
    // The account was deleted during the request: its key is no longer valid.
    if (!(await lockAccount(tx, accountId)))
      throw new GatewayError(caller ? 'unauthorized' : 'account_not_found')
    await refuseUnknownInstances(tx, accountId, input.instances ?? null)
    return insertKey(deps, tx, accountId, input, 'api')
  })
}

/** What can be said before the transaction. */
export function checkNewKey({ clock }: Pick<KeyDeps, 'clock'>, input: NewKey, caller?: Caller): void {
  if (caller) refuseWiderScopes(caller, input.scopes)
  refusePast(input.expiresAt, clock())
  if (input.approvalOnPhone && !input.approval)
    throw invalidField('approvalOnPhone', 'is possible only with approval')
}

/** A key that has already expired would be of no use: the date must be a mistake. */
function refusePast(expiresAt: string | null, now: number): void {
  if (expiresAt === null || fromIso(expiresAt) > now) return
  throw invalidField('expiresAt', 'must be in the future')
}

/** A wall around an instance that does not exist would be a mistake that nothing shows. */
export async function refuseUnknownInstances(
  tx: Db,
  accountId: number,
  names: readonly string[] | null,
): Promise<void> {
  if (names === null) return
  const known = new Set((await listInstances(tx, accountId)).map((row) => row.api_name))
  const unknown = names.findIndex((name) => !known.has(name))
  if (unknown >= 0)
    throw invalidField(`instances.${unknown}`, 'the account has no instance with this API name')
}

/** What the scope `read` shows; a key that has all of these had its power before the scope existed. */
const READ_PARTS: readonly Scope[] = ['send', 'contacts', 'webhooks']

const holdsScope = (caller: Caller, scope: Scope): boolean =>
  mayUse(caller, [scope]) || (scope === 'read' && READ_PARTS.every((part) => caller.scopes.includes(part)))

/** A key cannot create a key with more permissions than its own (decision 0004). */
function refuseWiderScopes(caller: Caller, scopes: readonly Scope[]): void {
  if (caller.scopes.length === 0) return
  const wanted = scopes.length === 0 ? SCOPES : scopes
  const missing = wanted.filter((scope) => !holdsScope(caller, scope))
  if (missing.length > 0) throw new GatewayError('scope_missing', { missing })
}

export async function insertKey(
  { clock }: Pick<KeyDeps, 'clock'>,
  tx: Db,
  accountId: number,
  input: NewKey,
  source: 'api' | 'first_start' | 'agent',
): Promise<CreatedKey> {
  const key = newKeyText()
  const row = await rows.insertApiKey(tx, keyRow(accountId, key, { ...input, source, now: clock() }))
  return { apiKey: toApiKey(row), key }
}

export const insertFirstKey = (deps: KeyDeps, tx: Db, accountId: number): Promise<CreatedKey> =>
  insertKey(deps, tx, accountId, { name: 'First key', scopes: [], expiresAt: null }, 'first_start')

/** The key in `API_KEY` opens the first account; a key that was set there earlier is revoked (decision 0006). */
/** Whether another value of `API_KEY` is valid, which the next one would revoke. */
export const hasOtherEnvironmentKey = (tx: Db, key: string): Promise<boolean> =>
  rows.hasOtherEnvironmentKey(tx, hashKey(key))

export async function useEnvironmentKey(
  { clock }: KeyDeps,
  tx: Db,
  accountId: number,
  key: string,
): Promise<void> {
  const now = clock()
  const hash = hashKey(key)
  await rows.revokeOtherEnvironmentKeys(tx, hash, now)
  if (await rows.restoreEnvironmentKey(tx, hash)) return
  if (await rows.findKeyHolder(tx, hash)) return
  const input = { name: 'API_KEY', scopes: [], expiresAt: null, source: 'environment', now }
  await rows.insertApiKey(tx, keyRow(accountId, key, input))
}

function permissionColumns(input: NewKey) {
  const { instances, chats, messagesPerDay, approval, approvalOnPhone } = { ...NO_WALLS, ...input }
  const distinct = [...new Set(input.scopes)]
  const walls: StoredWalls = {
    scopes: distinct,
    instances,
    chats,
    messagesPerDay,
    approval,
    approvalOnPhone,
  }
  return hasWalls(walls)
    ? { scopes: HIDDEN_SCOPES, walls: JSON.stringify(walls) }
    : { scopes: JSON.stringify(distinct), walls: null }
}

const keyRow = (accountId: number, key: string, input: NewKey & { source: string; now: number }) => ({
  account_id: accountId,
  name: input.name,
  hint: keyHint(key),
  hash: hashKey(key),
  ...permissionColumns(input),
  source: input.source,
  created_at: input.now,
  expires_at: fromIsoOrNull(input.expiresAt),
  revoked_at: null,
  last_used_at: null,
})

export async function revokeApiKey(deps: KeyDeps, accountId: number, id: number, caller?: Caller) {
  return deps.store.transaction(async (tx) => {
    await lockAccount(tx, accountId)
    const row = await requireKey(tx, accountId, id)
    if (row.revoked_at !== null) return toApiKey(row)
    if (caller && (await isLastKeyManager(tx, row, deps.clock()))) throw new GatewayError('last_key')
    return toApiKey(await rows.revokeApiKey(tx, id, deps.clock()))
  })
}

/** Without a key that may manage keys, only the operator could give access to the account again (decision 0005). */
async function isLastKeyManager(tx: Db, row: rows.ApiKeyRow, now: number): Promise<boolean> {
  const managesKeys = (key: rows.ApiKeyRow) =>
    isUsable(key, now) &&
    !hasWalls(wallsOf(key)) &&
    (scopesOf(key).length === 0 || scopesOf(key).includes('keys'))
  const others = await rows.listApiKeys(tx, row.account_id)
  return managesKeys(row) && !others.some((other) => other.id !== row.id && managesKeys(other))
}

/**
 * The new key expires when the old one would have expired without a rotation. When a key is rotated several times, only the
 * newest successor stays valid, unless an earlier one is already in use (decision 0079).
 */
export async function rotateApiKey(
  deps: KeyDeps,
  accountId: number,
  id: number,
  overlapHours: number,
  caller?: Caller,
): Promise<CreatedKey> {
  const seen = await requireKey(deps.store.db, accountId, id)
  return deps.store.transaction(async (tx) => {
    await lockAccount(tx, accountId)
    const old = await requireKey(tx, accountId, id)
    const now = deps.clock()
    if (!isUsable(old, now)) throw new GatewayError('api_key_not_found')
    if (old.successor_id !== seen.successor_id) throw new GatewayError('rotated_meanwhile')
    const scopes = scopesOf(old)
    if (caller) refuseWiderScopes(caller, scopes)
    const end = now + overlapHours * HOUR_MS
    const lifeUntil = old.successor_id === null ? old.expires_at : old.life_until
    if (old.successor_id !== null) await rows.revokeUnusedApiKey(tx, old.successor_id, now)
    const fresh = { ...wallsOf(old), name: old.name, scopes, expiresAt: isoOrNull(lifeUntil) }
    const created = await insertKey(deps, tx, accountId, fresh, 'api')
    await rows.replaceApiKey(tx, id, {
      expires_at: Math.min(end, old.expires_at ?? end),
      life_until: lifeUntil,
      successor_id: created.apiKey.id,
    })
    return created
  })
}

async function requireKey(tx: Db, accountId: number, id: number): Promise<rows.ApiKeyRow> {
  const row = await rows.findApiKey(tx, accountId, id)
  if (!row) throw new GatewayError('api_key_not_found')
  return row
}

export function shownWalls({ instances, chats, ...others }: Walls) {
  return {
    ...others,
    instances: instances && [...instances],
    chats: chats === null || typeof chats === 'string' ? chats : [...chats],
  }
}

const toApiKey = (row: rows.ApiKeyRow): z.output<typeof ApiKey> => ({
  id: row.id,
  name: row.name,
  hint: row.hint,
  scopes: scopesOf(row),
  ...shownWalls(wallsOf(row)),
  createdAt: iso(row.created_at),
  expiresAt: isoOrNull(row.expires_at),
  revokedAt: isoOrNull(row.revoked_at),
  lastUsedAt: isoOrNull(row.last_used_at),
})
