// The vault: a data key per account and per instance, wrapped by the master key. Without its data key, nothing opens.
import { randomBytes } from 'node:crypto'
import { KEY_BYTES, type Place, seal, unseal } from './seal.ts'
import type { Db } from './tables.ts'

export const accountScope = (accountId: number): string => `account:${accountId}`
export const instanceScope = (instanceId: number): string => `instance:${instanceId}`

export interface Vault {
  /** Seals a value; the scope's data key is made at its first use, in the same transaction. */
  seal(tx: Db, scope: string, place: Place, plain: Uint8Array): Promise<Uint8Array>
  unseal(db: Db, scope: string, place: Place, sealed: Uint8Array): Promise<Uint8Array>
  /** Destroys the data key: all that was sealed in this scope is noise from now on. */
  destroy(tx: Db, scope: string): Promise<void>
}

const CHECK_PLACE: Place = { table: 'facts', column: 'value', row: 'master_key_check' }
const CHECK_TEXT = 'switchboard'

/** Thrown when data was sealed with another master key: starting would make it unreadable for good. */
export class WrongMasterKeyError extends Error {
  constructor() {
    super('the data was encrypted with another master key')
    this.name = 'WrongMasterKeyError'
  }
}

export async function openVault(db: Db, masterKey: Uint8Array): Promise<Vault> {
  await checkMasterKey(db, masterKey)
  const wrapPlace = (scope: string): Place => ({ table: 'data_keys', column: 'wrapped', row: scope })

  async function dataKey(tx: Db, scope: string): Promise<Uint8Array | undefined> {
    const row = await tx
      .selectFrom('data_keys')
      .select('wrapped')
      .where('scope', '=', scope)
      .executeTakeFirst()
    return row && unseal(masterKey, wrapPlace(scope), row.wrapped)
  }
  async function makeDataKey(tx: Db, scope: string): Promise<Uint8Array> {
    const wrapped = seal(masterKey, wrapPlace(scope), randomBytes(KEY_BYTES))
    await tx
      .insertInto('data_keys')
      .values({ scope, wrapped, created_at: Date.now() })
      .onConflict((oc) => oc.column('scope').doNothing())
      .execute()
    // Another node may have been first: what is stored counts.
    return (await dataKey(tx, scope)) as Uint8Array
  }

  return {
    async seal(tx, scope, place, plain) {
      return seal((await dataKey(tx, scope)) ?? (await makeDataKey(tx, scope)), place, plain)
    },
    async unseal(tx, scope, place, sealed) {
      const key = await dataKey(tx, scope)
      if (!key) throw new Error(`the data key of ${scope} was destroyed`)
      return unseal(key, place, sealed)
    },
    async destroy(tx, scope) {
      await tx.deleteFrom('data_keys').where('scope', '=', scope).execute()
    },
  }
}

/** Whether anything here may be sealed already, so that a new master key would be a wrong one. */
export const isSealed = async (db: Db): Promise<boolean> =>
  (await db
    .selectFrom('facts')
    .select('name')
    .where('name', '=', String(CHECK_PLACE.row))
    .executeTakeFirst()) !== undefined

async function checkMasterKey(db: Db, masterKey: Uint8Array): Promise<void> {
  const name = String(CHECK_PLACE.row)
  const value = Buffer.from(seal(masterKey, CHECK_PLACE, Buffer.from(CHECK_TEXT))).toString('base64')
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
  try {
    unseal(masterKey, CHECK_PLACE, Buffer.from(known.value, 'base64'))
  } catch {
    throw new WrongMasterKeyError()
  }
}
