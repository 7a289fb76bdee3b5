// Opens the store on SQLite: one file, one writer in a worker thread, one fsync per group commit.

import { join } from 'node:path'
import { sqliteSearch } from '../../../contacts/search-sqlite.ts'
import { wallClock } from '../../../kernel/async/clock.ts'
import { createMutex } from '../../../kernel/async/mutex.ts'
import { sqliteMessageSearch } from '../../../messages/search-sqlite.ts'
import type { Store, StoreHooks } from '../../store.ts'
import { checkStore } from '../check-store.ts'
import { createEventSignal, watchAppends } from '../event-signal.ts'
import { createClaimOffers } from './claim-offers.ts'
import { lockDirectory } from './directory-lock.ts'
import { createSqliteKysely } from './driver.ts'
import { migrateSqlite } from './migrate.ts'
import { refuseMovedDirectory } from './moved-mark.ts'
import { createSqliteOperations } from './operations.ts'
import { type SqliteClient, startSqliteClient } from './worker-client.ts'

export const databaseFile = (directory: string): string => join(directory, 'switchboard.db')

export async function openSqliteStore(directory: string, hooks: StoreHooks = {}): Promise<Store> {
  const { client, unlock } = await openDirectory(directory, hooks)
  // SQLite has one writer, and a transaction takes several calls to the worker: the mutex keeps them together.
  const writer = createMutex()
  const db = createSqliteKysely(client, writer)
  const signal = createEventSignal()
  const appends = watchAppends(signal)
  const offers = createClaimOffers()
  return {
    engine: 'sqlite',
    db,
    search: sqliteSearch,
    messageSearch: sqliteMessageSearch,
    transaction: (work) => appends.transaction((all) => db.transaction().execute(all), work),
    instanceTransaction: (_instanceId, work) =>
      appends.transaction((all) => db.transaction().execute(all), work),
    async appendEvents(tx, events) {
      if (events.length === 0) return
      appends.mark(tx)
      // The open transaction holds the writer's mutex, so this call runs inside it.
      await client.call('appendEvents', events)
    },
    onEvents: signal.subscribe,
    offerClaim: offers.add,
    ...createSqliteOperations({ client, writer, signal, offers, onCommit: hooks.onCommit }),
    check: () => checkStore(db, wallClock()),
    async close() {
      await writer.runExclusive(() => client.close())
      unlock()
    },
  }
}

/** A second process on the same directory is refused before any file is opened. */
async function openDirectory(directory: string, hooks: StoreHooks) {
  const unlock = lockDirectory(directory)
  let client: SqliteClient | undefined
  try {
    await refuseMovedDirectory(directory)
    client = await startSqliteClient({ file: databaseFile(directory) }, hooks.onFatal)
    await migrateSqlite(client)
    return { client, unlock }
  } catch (error) {
    await client?.close()
    unlock()
    throw error
  }
}
