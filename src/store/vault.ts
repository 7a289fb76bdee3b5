// The vault: one data key per account and per instance, wrapped by the master key. A value can only be opened with its data key.

import { createSecretKey, randomBytes } from 'node:crypto'
import { wallClock } from '../kernel/async/clock.ts'
import {
  beginOpening,
  type Cell,
  isLarge,
  KEY_BYTES,
  type Opening,
  seal,
  sealLarge,
  unseal,
  unsealLarge,
} from './seal.ts'
import type { Db } from './tables.ts'

export const accountScope = (accountId: number): string => `account:${accountId}`
export const instanceScope = (instanceId: number): string => `instance:${instanceId}`

/** Seals and opens values of one scope without a query. */
export interface Box {
  seal(cell: Cell, plain: Uint8Array): Uint8Array
  unseal(cell: Cell, sealed: Uint8Array): Uint8Array
  /** For values that are too large for memory. */
  beginOpening(cell: Cell, head: Uint8Array): Opening
}

export interface Vault {
  /** Seals a value. The first use of a scope creates its data key in the same transaction. */
  seal(tx: Db, scope: string, cell: Cell, plain: Uint8Array): Promise<Uint8Array>
  unseal(db: Db, scope: string, cell: Cell, sealed: Uint8Array): Promise<Uint8Array>
  /** Loads the scope's data key once, for a session that seals and opens values all the time. */
  box(tx: Db, scope: string): Promise<Box>
  /** As `box`, but creates no key. Undefined: the scope has none, or it was destroyed. */
  existingBox(db: Db, scope: string): Promise<Box | undefined>
  /** Destroys the data key: values sealed in this scope can never be opened again. */
  destroy(tx: Db, scope: string): Promise<void>
}

/** A fact: a known text, sealed with the master key, that shows whether a master key is the right one. */
export const MASTER_KEY_MARK = 'master_key_check'
const CHECK_CELL: Cell = { table: 'facts', column: 'value', row: MASTER_KEY_MARK }
const CHECK_TEXT = 'switchboard'

/** Thrown when data was sealed with another master key. Starting would mix values of two keys. */
export class WrongMasterKeyError extends Error {
  constructor() {
    super('the data was encrypted with another master key')
    this.name = 'WrongMasterKeyError'
  }
}

export async function openVault(db: Db, masterKey: Uint8Array): Promise<Vault> {
  await checkMasterKey(db, masterKey)

  async function dataKey(tx: Db, scope: string): Promise<Uint8Array | undefined> {
    const row = await tx
      .selectFrom('data_keys')
      .select('wrapped')
      .where('scope', '=', scope)
      .executeTakeFirst()
    return row && unseal(masterKey, wrapCell(scope), row.wrapped)
  }
  async function makeDataKey(tx: Db, scope: string): Promise<Uint8Array> {
    const wrapped = seal(masterKey, wrapCell(scope), randomBytes(KEY_BYTES))
    await tx
      .insertInto('data_keys')
      .values({ scope, wrapped, created_at: wallClock() })
      .onConflict((oc) => oc.column('scope').doNothing())
      .execute()
    await requireSameMasterKey(tx, masterKey, scope, wrapped)
    // Another process may have inserted its key first: the stored key counts.
    return (await dataKey(tx, scope)) as Uint8Array
  }

  return {
    async seal(tx, scope, cell, plain) {
      const key = (await dataKey(tx, scope)) ?? (await makeDataKey(tx, scope))
      return isLarge(plain) ? sealLarge(key, cell, plain) : seal(key, cell, plain)
    },
    async unseal(tx, scope, cell, sealed) {
      const key = await dataKey(tx, scope)
      if (!key) throw new Error(`the data key of ${scope} was destroyed`)
      return isLarge(sealed) ? unsealLarge(key, cell, sealed) : unseal(key, cell, sealed)
    },
    async box(tx, scope) {
      return boxOf((await dataKey(tx, scope)) ?? (await makeDataKey(tx, scope)))
    },
    async existingBox(tx, scope) {
      const key = await dataKey(tx, scope)
      return key && boxOf(key)
    },
    async destroy(tx, scope) {
      await tx.deleteFrom('data_keys').where('scope', '=', scope).execute()
    },
  }
}

/** With a key object, because raw bytes would be turned into one again for every value. */
function boxOf(dataKey: Uint8Array): Box {
  const key = createSecretKey(dataKey)
  return {
    seal: (cell, plain) => seal(key, cell, plain),
    unseal: (cell, sealed) => unseal(key, cell, sealed),
    beginOpening: (cell, head) => beginOpening(key, cell, head),
  }
}

/** Opens a small value without the store, as the doctor does. */
export const openSealed = (
  masterKey: Uint8Array,
  { scope, wrapped }: { scope: string; wrapped: Uint8Array },
  cell: Cell,
  sealed: Uint8Array,
): Uint8Array => unseal(unseal(masterKey, wrapCell(scope), wrapped), cell, sealed)

export const wrapCell = (scope: string): Cell => ({ table: 'data_keys', column: 'wrapped', row: scope })

/** Whether a master key was used with this data before. */
export async function hasMasterKeyMark(db: Db): Promise<boolean> {
  const mark = await db
    .selectFrom('facts')
    .select('name')
    .where('name', '=', MASTER_KEY_MARK)
    .executeTakeFirst()
  return mark !== undefined
}

/** The value of the mark for this master key. */
export const sealMark = (masterKey: Uint8Array): string =>
  Buffer.from(seal(masterKey, CHECK_CELL, Buffer.from(CHECK_TEXT))).toString('base64')

async function checkMasterKey(db: Db, masterKey: Uint8Array): Promise<void> {
  const name = MASTER_KEY_MARK
  const value = sealMark(masterKey)
  await db
    .insertInto('facts')
    .values({ name, value })
    .onConflict((oc) => oc.column('name').doNothing())
    .execute()
  const known = await db
    .selectFrom('facts')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  if (!isMasterKeyOf(known.value, masterKey)) throw new WrongMasterKeyError()
}

/** The master key may have been rotated since the start of this process. A data key of the old one must not stay. */
async function requireSameMasterKey(
  tx: Db,
  masterKey: Uint8Array,
  scope: string,
  wrapped: Uint8Array,
): Promise<void> {
  const mark = await tx
    .selectFrom('facts')
    .select('value')
    .where('name', '=', MASTER_KEY_MARK)
    .executeTakeFirstOrThrow()
  if (isMasterKeyOf(mark.value, masterKey)) return
  await tx.deleteFrom('data_keys').where('scope', '=', scope).where('wrapped', '=', wrapped).execute()
  throw new WrongMasterKeyError()
}

/** Whether the mark was made with this master key. */
export function isMasterKeyOf(mark: string, masterKey: Uint8Array): boolean {
  try {
    unseal(masterKey, CHECK_CELL, Buffer.from(mark, 'base64'))
    return true
  } catch {
    return false
  }
}
