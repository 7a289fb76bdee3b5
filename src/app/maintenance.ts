// Selects the maintenance operations of the engine that the settings name.
import type { Settings } from '../config.ts'
import type { ImportSessions } from '../doors/cli/import/import-sessions.ts'
import { createPostgresMaintenance } from '../store/engines/postgres/maintenance.ts'
import { createSqliteMaintenance } from '../store/engines/sqlite/maintenance.ts'
import type { Maintenance } from '../store/maintenance.ts'

export type { SessionReport } from '../doors/cli/import/import-sessions.ts'
export type { Maintenance, SchemaStatus } from '../store/maintenance.ts'
export { checkFileLocation } from './check-files.ts'
export { checkProxies, checkServerProxy } from './check-proxies.ts'
export { findVersionInUse } from './client-versions.ts'
export { type MoveReport, moveToPostgres } from './move-to-postgres.ts'
export { rotateStoredMasterKey } from './rotate-master-key.ts'

export const createMaintenance = (settings: Settings, environment: NodeJS.ProcessEnv): Maintenance =>
  settings.DATABASE_URL === undefined
    ? createSqliteMaintenance(settings.DATA_DIR)
    : createPostgresMaintenance(settings.DATABASE_URL, environment)

/** Loaded when it is used: it needs the network library, which takes longer to load than other commands take. */
export const importSessions: ImportSessions = async (...parameters) =>
  (await import('../doors/cli/import/import-sessions.ts')).importSessions(...parameters)
