// The store of a location, as the server would open it.
import { openPostgresStore } from '../../src/store/engines/postgres/open.ts'
import { openSqliteStore } from '../../src/store/engines/sqlite/open.ts'
import type { Store } from '../../src/store/store.ts'
import type { StoreLocation } from './engines.ts'

export const openStore = (storeLocation: StoreLocation): Promise<Store> =>
  storeLocation.databaseUrl === undefined
    ? openSqliteStore(storeLocation.directory)
    : openPostgresStore(storeLocation.databaseUrl)
