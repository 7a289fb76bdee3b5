// Settings of instances. An instance without a row has the defaults.
import type { Cell } from '../store/seal.ts'
import type { Db, NewRow, Row } from '../store/tables.ts'

/** The proxy is sealed with the key of the account, which outlives a log-out of the instance. */
export const proxyCell = (instanceId: number): Cell => ({
  table: 'instance_settings',
  column: 'sealed_proxy',
  row: instanceId,
})

export const findSettings = (db: Db, instanceId: number): Promise<Row<'instance_settings'> | undefined> =>
  db.selectFrom('instance_settings').selectAll().where('instance_id', '=', instanceId).executeTakeFirst()

export async function upsertSettings(tx: Db, row: NewRow<'instance_settings'>): Promise<void> {
  await tx
    .insertInto('instance_settings')
    .values(row)
    .onConflict((oc) => oc.column('instance_id').doUpdateSet(row))
    .execute()
}

/** The settings that were changed after a time: the instance, and when. */
export const listChangedSettings = (
  db: Db,
  changedAfter: number,
): Promise<Pick<Row<'instance_settings'>, 'instance_id' | 'updated_at'>[]> =>
  db
    .selectFrom('instance_settings')
    .select(['instance_id', 'updated_at'])
    .where('updated_at', '>', changedAfter)
    .execute()

// The version that was last read from the page of the network, one per network: a version of the sandbox means nothing elsewhere.

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
