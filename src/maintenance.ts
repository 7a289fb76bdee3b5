// Picks the engine whose upkeep the settings ask for, as app.ts does for the server.
import type { Settings } from './config.ts'
import type { Maintenance } from './store/maintenance.ts'
import { createPostgresMaintenance } from './store/postgres/maintenance.ts'
import { createSqliteMaintenance } from './store/sqlite/maintenance.ts'

export type { Maintenance, SchemaStatus } from './store/maintenance.ts'

export const createMaintenance = (settings: Settings, environment: NodeJS.ProcessEnv): Maintenance =>
  settings.DATABASE_URL === undefined
    ? createSqliteMaintenance(settings.DATA_DIR)
    : createPostgresMaintenance(settings.DATABASE_URL, environment)
