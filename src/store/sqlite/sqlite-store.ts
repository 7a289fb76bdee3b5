// The store on SQLite: one file, one writer in a thread of its own, one fsync per group of commits.
import { join } from 'node:path'
import { createBatcher, limitWaiting } from '../batcher.ts'
import { checkStore } from '../check.ts'
import { createEventSignal, watchAppends } from '../event-log.ts'
import type { ClaimedSend } from '../lanes.ts'
import { type AppliedMigration, MIGRATIONS_TABLE, pendingMigrations, readMigrations } from '../migrations.ts'
import type { Store, StoreHooks } from '../store.ts'
import { type SqliteClient, startSqliteClient } from './client.ts'
import { lockDirectory } from './directory-lock.ts'
import { createSqliteKysely } from './driver.ts'
import { sqliteSearch } from './search.ts'
import { createTurnstile } from './turnstile.ts'
import type { Write, WriteKind, WriteOutput, Writes } from './writes.ts'

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

/** All kinds share one batcher, and so their commits. */
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
  | 'moveMessage'
  | 'claimDeliveries'
  | 'settleDelivery'
  | 'saveSession'
> {
  const write = createBatcher<Write, WriteOutput>(
    (writes) =>
      appends.after(
        inTurn(() => client.call('writes', writes)),
        (outputs) => writes.some(({ kind }, place) => appendsEvents(kind, outputs[place])),
      ),
    { maxSize: MAX_BATCH, onCommit, isPatient },
  )
  const writeOf =
    <K extends WriteKind>(kind: K) =>
    (input: Writes[K]['input']) =>
      write({ kind, input } as Write) as Promise<Writes[K]['output']>
  return {
    acceptSend: limitWaiting(writeOf('accept')),
    claimSends: writeOf('claim'),
    settleSend: writeOf('settle'),
    keepPayload: writeOf('keepPayload'),
    saveSession: writeOf('saveSession'),
    moveMessage: writeOf('moveMessage'),
    claimDeliveries: writeOf('claimDeliveries'),
    settleDelivery: writeOf('settleDelivery'),
  }
}

/**
 * Nobody stands still until these are kept: a phone's receipt, the word on a message whose run goes on without it, and what is to
 * be sent, as its keys follow at once (decision 0066).
 */
function isPatient({ kind, input }: Write): boolean {
  return kind === 'moveMessage' || kind === 'keepPayload' || (kind === 'settle' && !input.release)
}

function appendsEvents(kind: WriteKind, output: WriteOutput | undefined): boolean {
  if (kind === 'claim') return (output as ClaimedSend[]).length > 0
  return kind === 'accept' || ((kind === 'settle' || kind === 'moveMessage') && output === true)
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
