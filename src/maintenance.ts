// Picks the engine whose upkeep the settings ask for, as app.ts does for the server.
import type { Settings } from './config.ts'
import type { Maintenance } from './store/maintenance.ts'
import { createPostgresMaintenance } from './store/postgres/maintenance.ts'
import { createSqliteMaintenance } from './store/sqlite/maintenance.ts'
import { isMasterKeyOf, MASTER_KEY_MARK } from './store/vault.ts'

export type { Maintenance, SchemaStatus } from './store/maintenance.ts'

export const createMaintenance = (settings: Settings, environment: NodeJS.ProcessEnv): Maintenance =>
  settings.DATABASE_URL === undefined
    ? createSqliteMaintenance(settings.DATA_DIR)
    : createPostgresMaintenance(settings.DATABASE_URL, environment)

/** Whether the data opens with this master key. Undefined: nothing was encrypted yet. */
export async function opensWith(
  maintenance: Maintenance,
  masterKey: Uint8Array,
): Promise<boolean | undefined> {
  const mark = await maintenance.fact(MASTER_KEY_MARK)
  return mark === undefined ? undefined : isMasterKeyOf(mark, masterKey)
}
