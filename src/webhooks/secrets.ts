// The secrets of webhooks: sealed in the store, unsealed to sign deliveries.
import { randomBytes } from 'node:crypto'
import type { Db } from '../store/tables.ts'
import { accountScope, type Vault } from '../store/vault.ts'

export interface WebhookSecrets {
  current: string
  /** The previous secret, during the overlap after a rotation. */
  previous: string | null
}

type Column = 'sealed_secret' | 'previous_sealed_secret' | 'sealed_options'
const cellOf = (column: Column, id: number) => ({ table: 'webhooks', column, row: id })

export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

export interface SecretOwner {
  accountId: number
  webhookId: number
}

export const sealSecret = (
  vault: Vault,
  tx: Db,
  { accountId, webhookId }: SecretOwner,
  secret: string,
  column: Column = 'sealed_secret',
): Promise<Uint8Array> =>
  vault.seal(tx, accountScope(accountId), cellOf(column, webhookId), Buffer.from(secret))

export async function openSecret(
  vault: Vault,
  db: Db,
  { accountId, webhookId }: SecretOwner,
  sealed: Uint8Array,
  column: Column = 'sealed_secret',
): Promise<string> {
  const plain = await vault.unseal(db, accountScope(accountId), cellOf(column, webhookId), sealed)
  return Buffer.from(plain).toString()
}

/** The options of the webhook's format; undefined: it has none. */
export async function openOptions(
  vault: Vault,
  db: Db,
  owner: SecretOwner,
  sealed: Uint8Array | null,
): Promise<unknown> {
  if (sealed === null) return undefined
  return JSON.parse(await openSecret(vault, db, owner, sealed, 'sealed_options')) as unknown
}

export interface SealedSecrets extends SecretOwner {
  sealedSecret: Uint8Array
  previousSealedSecret: Uint8Array | null
  previousUntil: number | null
}

export async function openSecrets(
  vault: Vault,
  db: Db,
  sealed: SealedSecrets,
  now: number,
): Promise<WebhookSecrets> {
  const { sealedSecret, previousSealedSecret, previousUntil } = sealed
  const isOverlap = previousSealedSecret !== null && previousUntil !== null && previousUntil > now
  return {
    current: await openSecret(vault, db, sealed, sealedSecret),
    previous: isOverlap
      ? await openSecret(vault, db, sealed, previousSealedSecret, 'previous_sealed_secret')
      : null,
  }
}
