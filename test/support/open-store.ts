// The store of a place, as the server would open it.
import { openPostgresStore } from '../../src/store/engines/postgres/open.ts'
import { openSqliteStore } from '../../src/store/engines/sqlite/open.ts'
import type { Store } from '../../src/store/store.ts'
import type { Place } from './engines.ts'

export const openStore = (place: Place): Promise<Store> =>
  place.databaseUrl === undefined ? openSqliteStore(place.directory) : openPostgresStore(place.databaseUrl)
