// Opens the store on SQLite: one file, one writer in a worker thread, one fsync per group commit.
import { join } from 'node:path'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { sqliteSearch } from '../../../contacts/search-sqlite.ts'
import { wallClock } from '../../../kernel/async/clock.ts'
import { createMutex, type Mutex } from '../../../kernel/async/locks.ts'
import { sqliteMessageSearch } from '../../../messages/search-sqlite.ts'
import {
  APPLIED_MIGRATIONS,
  type AppliedMigration,
  MIGRATIONS_TABLE,
  type Migration,
  pendingMigrations,
  RECORDED_COLUMNS,
  readMigrations,
  recordOf,
} from '../../migrations.ts'
import type { ClaimName, ClaimOffer } from '../../operations/claim-offer.ts'
import type {
  HotOperations,
  OperationCall,
  OperationInput,
  OperationName,
  OperationOutput,
} from '../../operations/hot-operations.ts'
import type { CommitMeasure, Store, StoreHooks } from '../../store.ts'
import type { Tables } from '../../tables.ts'
import { createBatcher, limitWaiting } from '../batcher.ts'
import { checkStore } from '../check-store.ts'
import { createEventSignal, type EventSignal, watchAppends } from '../event-signal.ts'
import { lockDirectory } from './directory-lock.ts'
import { refuseMovedDirectory } from './moved-mark.ts'
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

// Applies the pending migrations of SQLite, all in one transaction.

async function migrateSqlite(client: SqliteClient): Promise<void> {
  const known = await readMigrations('sqlite')
  await client.call('script', { sql: `begin immediate; ${MIGRATIONS_TABLE}` })
  try {
    const applied = (await query(client, APPLIED_MIGRATIONS)) as AppliedMigration[]
    const pending = pendingMigrations(known, applied)
    if (pending.length > 0) await apply(client, pending)
    await client.call('script', { sql: 'commit' })
  } catch (error) {
    await client.call('rollback', null)
    throw error
  }
}

/** The header's `concurrently` means nothing here: a transaction of SQLite can build an index, and no other process waits. */
async function apply(client: SqliteClient, pending: Migration[]): Promise<void> {
  const columns = await query(
    client,
    `select 1 from pragma_table_info('schema_migrations') where name = 'works_with'`,
  )
  if (columns.length === 0)
    await client.call('script', { sql: 'alter table schema_migrations add column works_with bigint' })
  for (const migration of pending) {
    await client.call('script', { sql: migration.sql })
    await query(
      client,
      `insert into schema_migrations (${RECORDED_COLUMNS}) values (?, ?, ?, ?, ?)`,
      recordOf(migration),
    )
  }
}

const query = async (client: SqliteClient, sql: string, parameters: unknown[] = []): Promise<unknown[]> =>
  (await client.call('query', { connection: 'write', sql, parameters })).rows

// The hot operations on SQLite, as the main thread offers them. All of them share one batcher, and so their commits.

/** A larger transaction would noticeably delay the first of its calls. */
const MAX_BATCH = 256

interface OperationParts {
  client: SqliteClient
  writer: Mutex
  signal: Pick<EventSignal, 'notify'>
  offers: Pick<ClaimOffers, 'joining' | 'committed'>
  onCommit?: ((measure: CommitMeasure) => void) | undefined
}

function createSqliteOperations(parts: OperationParts): HotOperations {
  const { client, writer, signal, offers, onCommit } = parts
  async function commitWithClaims(calls: OperationCall[]) {
    const joining = offers.joining(calls)
    const all = [...calls, ...joining.map(({ call }) => call)]
    const made = await client.call('runOperations', all).catch((error: unknown) => {
      for (const claim of joining) claim.failed()
      throw error
    })
    for (const [index, claim] of joining.entries()) claim.take(made[calls.length + index])
    offers.committed(calls, joining)
    return { all, made }
  }
  async function commit(calls: OperationCall[]): Promise<OperationOutput<OperationName>[]> {
    const { all, made } = await writer.runExclusive(() => commitWithClaims(calls))
    if (all.some(({ name }, position) => hasAppended(name, made[position])))
      signal.notify({ areDeliveriesDue: !all.some(({ name }) => name === 'claimDeliveries') })
    return made.slice(0, calls.length)
  }
  const run = createBatcher(commit, { maxSize: MAX_BATCH, onCommit, delayMs })
  const operation =
    <K extends OperationName>(name: K) =>
    (input: OperationInput<K>) =>
      run({ name, input } as OperationCall) as Promise<OperationOutput<K>>
  return {
    acceptSend: limitWaiting(operation('acceptSend')),
    claimSends: operation('claimSends'),
    renewClaim: operation('renewClaim'),
    savePayload: operation('savePayload'),
    settleSend: operation('settleSend'),
    recordProgress: operation('recordProgress'),
    recordReports: operation('recordReports'),
    claimDeliveries: operation('claimDeliveries'),
    settleDelivery: operation('settleDelivery'),
    saveSession: operation('saveSession'),
    saveReceived: operation('saveReceived'),
  }
}

/** The longest wait of calls that delay no other: not noticeable to people, and enough for several commits of a disk. */
const SHORT_DELAY_MS = 10
/** Of the results of deliveries. */
const LONG_DELAY_MS = 50

/**
 * No caller is delayed while these wait for the next commit: a receipt, the outcome of a message whose run continues, a payload, which
 * is followed at once by the session keys that encrypt it (decision 0066), and a delivery that no other waits for.
 */
function delayMs({ name, input }: OperationCall): number {
  if (name === 'settleDelivery') return input.mayWait ? LONG_DELAY_MS : 0
  const mayWait =
    name === 'recordProgress' || name === 'savePayload' || (name === 'settleSend' && !input.release)
  return mayWait ? SHORT_DELAY_MS : 0
}

/** By operation, whether this output shows that events were appended. Operations that are not listed append none. */
const APPENDS: Partial<
  Record<OperationName, (output: OperationOutput<OperationName> | undefined) => boolean>
> = {
  acceptSend: () => true,
  claimSends: (claimed) => Array.isArray(claimed) && claimed.length > 0,
  settleSend: (settled) => settled === true,
  recordProgress: (recorded) => recorded === true,
  recordReports: (recorded) => Array.isArray(recorded) && (recorded as unknown[]).includes(true),
  saveReceived: (saved) => saved === true,
}

const hasAppended = (name: OperationName, output: OperationOutput<OperationName> | undefined): boolean =>
  APPENDS[name]?.(output) ?? false

// Connects the query builder to the SQLite worker. Reads run at any time; every write and transaction holds the writer's mutex.

class SqliteConnection implements DatabaseConnection {
  readonly #client: SqliteClient
  readonly #writer: Mutex
  #releaseWriter: (() => void) | undefined

  constructor(client: SqliteClient, writer: Mutex) {
    this.#client = client
    this.#writer = writer
  }

  async begin(): Promise<void> {
    this.#releaseWriter = await this.#writer.acquire()
    try {
      await this.#run('write', 'begin immediate', [])
    } catch (error) {
      this.#release()
      throw error
    }
  }

  /** A failed commit may leave the transaction open. The builder then rolls back, which releases the mutex. */
  async commit(): Promise<void> {
    await this.#run('write', 'commit', [])
    this.#release()
  }

  async rollback(): Promise<void> {
    try {
      await this.#client.call('rollback', null)
    } finally {
      this.#release()
    }
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#releaseWriter) return this.#run('write', query.sql, query.parameters)
    if (query.query.kind === 'SelectQueryNode') return this.#run('read', query.sql, query.parameters)
    return this.#writer.runExclusive(() => this.#run('write', query.sql, query.parameters))
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('streaming is not supported: lists are read in pages')
  }

  async #run<R>(
    connection: 'read' | 'write',
    sql: string,
    parameters: readonly unknown[],
  ): Promise<QueryResult<R>> {
    const { rows, affected, lastId } = await this.#client.call('query', { connection, sql, parameters })
    return { rows: rows as R[], numAffectedRows: BigInt(affected), insertId: BigInt(lastId) }
  }

  #release(): void {
    this.#releaseWriter?.()
    this.#releaseWriter = undefined
  }
}

/** The builder's own adapter declares a single connection, which would make every read wait for the open transaction. */
class ReadsBesideWritesAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

function createDriver(client: SqliteClient, writer: Mutex): Driver {
  return {
    init: async () => undefined,
    acquireConnection: async () => new SqliteConnection(client, writer),
    beginTransaction: (connection) => (connection as SqliteConnection).begin(),
    commitTransaction: (connection) => (connection as SqliteConnection).commit(),
    rollbackTransaction: (connection) => (connection as SqliteConnection).rollback(),
    releaseConnection: async () => undefined,
    destroy: async () => undefined,
  }
}

function createSqliteKysely(client: SqliteClient, writer: Mutex): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new ReadsBesideWritesAdapter(),
      createDriver: () => createDriver(client, writer),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  })
}

// Claims that ride along: the commit that makes sends or deliveries due also claims them for a worker that can start them at once. That
// saves the worker a transaction of its own, and the thread a wake.

interface ClaimOffers {
  add<K extends ClaimName>(name: K, offer: ClaimOffer<K>): () => void
  /** The claims that join these calls. */
  joining(calls: readonly OperationCall[]): JoiningClaim[]
  /** These calls are committed, with these claims: workers hear of what is due and was not claimed. */
  committed(calls: readonly OperationCall[], joined: readonly JoiningClaim[]): void
}

interface JoiningClaim {
  call: OperationCall<ClaimName>
  take(claimed: OperationOutput<OperationName> | undefined): void
  failed(): void
}

type MakesDue = (call: OperationCall) => boolean

/** Operations that make sends due, and those that append events or release lanes of deliveries. In the order of the claims. */
const MAKES_DUE: Readonly<Record<ClaimName, MakesDue>> = {
  claimSends: ({ name, input }) => name === 'acceptSend' || (name === 'settleSend' && input.release),
  claimDeliveries: ({ name, input }) => CAUSES.has(name) || (name === 'settleDelivery' && input.release),
}
const CLAIMS = Object.keys(MAKES_DUE) as ClaimName[]

const CAUSES: ReadonlySet<string> = new Set<OperationCall['name']>([
  'acceptSend',
  'claimSends',
  'settleSend',
  'recordProgress',
  'recordReports',
  'saveReceived',
])

function createClaimOffers(): ClaimOffers {
  const offered = new Map<ClaimName, ClaimOffer<ClaimName>>()
  /** Claims of which these calls make some possible, and which are not among them. */
  const possible = (calls: readonly OperationCall[]): ClaimName[] =>
    CLAIMS.filter((claim) => calls.some(MAKES_DUE[claim]) && !calls.some(({ name }) => name === claim))

  function join(name: ClaimName): JoiningClaim | undefined {
    const offer = offered.get(name)
    const request = offer?.wants()
    if (!offer || !request) return undefined
    return {
      call: { name, input: request } as OperationCall<ClaimName>,
      take: (claimed) => offer.take(claimed as OperationOutput<ClaimName>, request),
      failed: () => offer.failed?.(),
    }
  }
  return {
    add(name, offer) {
      const added = offer as ClaimOffer<ClaimName>
      offered.set(name, added)
      return () => {
        if (offered.get(name) === added) offered.delete(name)
      }
    },
    joining: (calls) => possible(calls).flatMap((name) => join(name) ?? []),
    committed(calls, joined) {
      for (const claim of possible(calls))
        if (!joined.some(({ call }) => call.name === claim)) offered.get(claim)?.missed?.()
    },
  }
}
