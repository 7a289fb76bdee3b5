// Opens the store on PostgreSQL, through a pool of connections.

import { appendWithin } from '../../operations/events/postgres.ts'
import type { Store, StoreHooks } from '../../store.ts'
import { checkStore } from '../check-store.ts'
import { createEventSignal, watchAppends } from '../event-signal.ts'
import { createPostgresKysely } from './driver.ts'
import { toStoreError } from './errors.ts'
import { migratePostgres } from './migrate.ts'
import { createPostgresOperations } from './operations.ts'
import { openPool } from './pool.ts'
import { repeatOnConflict } from './repeat-on-conflict.ts'
import { postgresSearch } from './search.ts'

export async function openPostgresStore(url: string, hooks: StoreHooks = {}): Promise<Store> {
  const pool = openPool(url)
  try {
    await migratePostgres(pool)
  } catch (error) {
    await pool.end()
    throw toStoreError(error)
  }
  const db = createPostgresKysely(pool)
  const signal = createEventSignal()
  const appends = watchAppends(signal)
  return {
    engine: 'postgres',
    db,
    search: postgresSearch,
    transaction: (work) =>
      repeatOnConflict(() => appends.transaction((all) => db.transaction().execute(all), work)),
    async appendEvents(tx, events) {
      if (events.length === 0) return
      appends.mark(tx)
      await appendWithin(tx, events)
    },
    onEvents: signal.subscribe,
    ...createPostgresOperations({ pool, appends, onCommit: hooks.onCommit }),
    check: () => checkStore(db, Date.now()),
    async close() {
      await db.destroy()
      // The builder ends the pool only if it has used it.
      if (!pool.ended) await pool.end()
    },
  }
}
