// Opens the store on PostgreSQL, through a pool of connections.

import { postgresSearch } from '../../../contacts/search-postgres.ts'
import { appendWithin } from '../../../events/append-postgres.ts'
import { wallClock } from '../../../kernel/async/clock.ts'
import { createPostgresMessageSearch } from '../../../messages/search-postgres.ts'
import { readMigrations } from '../../migrations.ts'
import type { Store, StoreHooks } from '../../store.ts'
import { checkStore } from '../check-store.ts'
import { createEventSignal, watchAppends } from '../event-signal.ts'
import { createPostgresKysely } from './driver.ts'
import { toStoreError } from './errors.ts'
import { openPostgresLeases } from './leases.ts'
import { migratePostgres } from './migrate.ts'
import { createPostgresOperations } from './operations.ts'
import { openPool } from './pool.ts'
import { repeatOnConflict } from './repeat-on-conflict.ts'
import { watchSchema } from './schema-watch.ts'
import { createSharedTransactions } from './shared-transactions.ts'
import type { TimelineGuard } from './timeline.ts'

export async function openPostgresStore(url: string, hooks: StoreHooks = {}): Promise<Store> {
  const known = await readMigrations('postgres')
  await migratePostgres(url, { known, log: hooks.log }).catch((error: unknown) => {
    throw toStoreError(error)
  })
  const guard: TimelineGuard = { trusted: undefined }
  const pool = openPool(url, guard)
  const stopWatching = watchSchema({ pool, known, onOutdated: hooks.onOutdated ?? (() => undefined) })
  const db = createPostgresKysely(pool)
  const signal = createEventSignal()
  const appends = watchAppends(signal)
  const transaction: Store['transaction'] = (work) =>
    repeatOnConflict(() => appends.transaction((all) => db.transaction().execute(all), work))
  const shared = createSharedTransactions({
    transaction,
    async append(tx, events) {
      if (events.length === 0) return
      appends.mark(tx)
      await appendWithin(tx, events)
    },
    onCommit: hooks.onCommit,
  })
  return {
    engine: 'postgres',
    db,
    search: postgresSearch,
    messageSearch: createPostgresMessageSearch(),
    transaction,
    instanceTransaction: shared.run,
    appendEvents: shared.append,
    onEvents: signal.subscribe,
    ...createPostgresOperations({ pool, signal, onCommit: hooks.onCommit }),
    openLeases: () => openPostgresLeases(url, { pool, guard }),
    check: () => checkStore(db, wallClock()),
    async close() {
      stopWatching()
      await db.destroy()
      // The builder ends the pool only if it has used it.
      if (!pool.ended) await pool.end()
    },
  }
}
