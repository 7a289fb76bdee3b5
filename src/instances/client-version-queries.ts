// The version that was last read from the page of the network, one per network: a version of the sandbox means nothing elsewhere.
import type { Db } from '../store/tables.ts'

export interface StoredVersion {
  /** As `2.3000.1023456789`. */
  version: string
  readAt: number
}

export type VersionNetwork = 'whatsapp' | 'sandbox'

/** A fact. Its value is JSON. */
export const versionFact = (network: VersionNetwork): string => `client_version_${network}`

export async function findClientVersion(db: Db, network: VersionNetwork): Promise<StoredVersion | undefined> {
  const fact = await db
    .selectFrom('facts')
    .select('value')
    .where('name', '=', versionFact(network))
    .executeTakeFirst()
  return parseVersionFact(fact?.value)
}

export async function saveClientVersion(
  db: Db,
  network: VersionNetwork,
  stored: StoredVersion,
): Promise<void> {
  const value = JSON.stringify(stored)
  await db
    .insertInto('facts')
    .values({ name: versionFact(network), value })
    .onConflict((oc) => oc.column('name').doUpdateSet({ value }))
    .execute()
}

export const parseVersionFact = (value: string | undefined): StoredVersion | undefined =>
  value === undefined ? undefined : (JSON.parse(value) as StoredVersion)
