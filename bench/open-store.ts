// The store of a place, as the server would open it.
import { openPostgresStore } from '../src/store/postgres/postgres-store.ts'
import { openSqliteStore } from '../src/store/sqlite/sqlite-store.ts'
import type { Store } from '../src/store/store.ts'
import type { Place } from '../test/support/engines.ts'

export const openStore = (place: Place): Promise<Store> =>
  place.databaseUrl === undefined ? openSqliteStore(place.directory) : openPostgresStore(place.databaseUrl)
