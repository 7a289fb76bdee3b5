// The store on SQLite: one file, one writer in a thread of its own, one fsync per group of commits.
import { join } from 'node:path'
import type { AcceptOutcome, SendToAccept } from '../accept.ts'
import { createBatcher } from '../batcher.ts'
import { checkStore } from '../check.ts'
import type { DeliverySettlement } from '../deliveries.ts'
import { createEventSignal, watchAppends } from '../event-log.ts'
import type { SentPayload, SettleRequest } from '../lanes.ts'
import { type AppliedMigration, MIGRATIONS_TABLE, pendingMigrations, readMigrations } from '../migrations.ts'
import type { SessionWrite } from '../session-keys.ts'
import type { Store, StoreHooks } from '../store.ts'
import { type SqliteClient, startSqliteClient } from './client.ts'
import { lockDirectory } from './directory-lock.ts'
import { createSqliteKysely } from './driver.ts'
import { sqliteSearch } from './search.ts'
import { createTurnstile } from './turnstile.ts'

/** More than this in one transaction makes the first of them wait noticeably. */
const MAX_BATCH = 256

export const databaseFile = (directory: string): string => join(directory, 'switchboard.db')

export async function openSqliteStore(directory: string, hooks: StoreHooks = {}): Promise<Store> {
  const { client, unlock } = await openDirectory(directory, hooks)
  const turnstile = createTurnstile()
  const db = createSqliteKysely(client, turnstile)
  const inTurn: InTurn = async (work) => {
    const leave = await turnstile.enter()
    try {
      return await work()
    } finally {
      leave()
    }
  }
  const signal = createEventSignal()
  const appends = watchAppends(signal)
  return {
    engine: 'sqlite',
    db,
    search: sqliteSearch,
    transaction: (work) => appends.transaction((all) => db.transaction().execute(all), work),
    async appendEvents(tx, events) {
      if (events.length === 0) return
      appends.note(tx)
      // The transaction holds the writer: what the thread is told now belongs to it.
      await client.call('append', events)
    },
    onEvents: signal.subscribe,
    ...hotOperations(client, inTurn, appends, hooks),
    check: () => checkStore(db, Date.now()),
    async close() {
      await inTurn(() => client.close())
      unlock()
    },
  }
}

type InTurn = <T>(work: () => Promise<T>) => Promise<T>

function hotOperations(
  client: SqliteClient,
  inTurn: InTurn,
  appends: ReturnType<typeof watchAppends>,
  { onCommit }: StoreHooks,
): Pick<
  Store,
  | 'acceptSend'
  | 'claimSends'
  | 'settleSend'
  | 'keepPayload'
  | 'claimDeliveries'
  | 'settleDelivery'
  | 'saveSession'
> {
  const batches = { maxSize: MAX_BATCH, onCommit }
  return {
    acceptSend: createBatcher<SendToAccept, AcceptOutcome>(
      (sends) =>
        appends.after(
          inTurn(() => client.call('accept', sends)),
          () => true,
        ),
      batches,
    ),
    claimSends: (request) =>
      appends.after(
        inTurn(() => client.call('claim', request)),
        (claimed) => claimed.length > 0,
      ),
    settleSend: createBatcher<SettleRequest, boolean>(
      (requests) =>
        appends.after(
          inTurn(() => client.call('settle', requests)),
          (settled) => settled.includes(true),
        ),
      batches,
    ),
    keepPayload: createBatcher<SentPayload, null>(
      (payloads) => inTurn(() => client.call('keepPayloads', payloads)),
      batches,
    ),
    claimDeliveries: (request) => inTurn(() => client.call('claimDeliveries', request)),
    settleDelivery: createBatcher<DeliverySettlement, boolean>(
      (settlements) => inTurn(() => client.call('settleDeliveries', settlements)),
      batches,
    ),
    saveSession: createBatcher<SessionWrite, boolean>(
      (writes) => inTurn(() => client.call('saveSessions', writes)),
      batches,
    ),
  }
}

/** One process a directory: whoever comes second is told so before anything is opened. */
async function openDirectory(directory: string, hooks: StoreHooks) {
  const unlock = lockDirectory(directory)
  let client: SqliteClient | undefined
  try {
    client = await startSqliteClient({ file: databaseFile(directory) }, hooks.onFatal)
    await migrate(client)
    return { client, unlock }
  } catch (error) {
    await client?.close()
    unlock()
    throw error
  }
}

async function migrate(client: SqliteClient): Promise<void> {
  const known = await readMigrations('sqlite')
  await client.call('script', { sql: `begin immediate; ${MIGRATIONS_TABLE}` })
  try {
    const { rows } = await client.call('query', {
      connection: 'write',
      sql: 'select version, name, checksum from schema_migrations order by version',
      parameters: [],
    })
    for (const { version, name, sql, checksum } of pendingMigrations(known, rows as AppliedMigration[])) {
      await client.call('script', { sql })
      await client.call('query', {
        connection: 'write',
        sql: 'insert into schema_migrations (version, name, checksum, applied_at) values (?, ?, ?, ?)',
        parameters: [version, name, checksum, Date.now()],
      })
    }
    await client.call('script', { sql: 'commit' })
  } catch (error) {
    await client.call('rollback', null)
    throw error
  }
}
