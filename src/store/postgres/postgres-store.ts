// The store on PostgreSQL: the same behaviour for those who grow, through a pool of connections.
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { AcceptOutcome, SendToAccept } from '../accept.ts'
import { createBatcher, limitWaiting } from '../batcher.ts'
import { checkStore } from '../check.ts'
import type { DeliverySettlement } from '../deliveries.ts'
import { createEventSignal, watchAppends } from '../event-log.ts'
import type { SentPayload } from '../lanes.ts'
import { type AppliedMigration, MIGRATIONS_TABLE, pendingMigrations, readMigrations } from '../migrations.ts'
import type { SessionWrite } from '../session-keys.ts'
import type { Store, StoreHooks } from '../store.ts'
import type { Db, Tables } from '../tables.ts'
import { claimDeliveries, settleDeliveries } from './delivery-operations.ts'
import { appendWithin } from './event-operations.ts'
import { type LaneOutcome, type LaneWork, runLaneWork } from './lane-work.ts'
import { acceptSends } from './operations.ts'
import { toStoreError } from './postgres-error.ts'
import { postgresSearch } from './search.ts'
import { saveSessions } from './session-operations.ts'
import { keepPayloads } from './settle-operations.ts'

const POOL_SIZE = 10
const CONNECT_TIMEOUT_MS = 5000
/** A statement that runs longer has met a lock or a fault; the caller gets 503 and can try again. */
const STATEMENT_TIMEOUT_MS = 30_000
const MAX_BATCH = 256
const INT8_OID = 20

/** 64-bit integers come as text by default; ours stay below 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8_OID ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}

export async function openPostgresStore(url: string, hooks: StoreHooks = {}): Promise<Store> {
  const pool = openPool(url)
  try {
    await migrate(pool)
  } catch (error) {
    await pool.end()
    throw toStoreError(error)
  }
  const db: Db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: withStoreErrors(pool) }) })
  const signal = createEventSignal()
  const appends = watchAppends(signal)
  return {
    engine: 'postgres',
    db,
    search: postgresSearch,
    transaction: (work) => appends.transaction((all) => db.transaction().execute(all), work),
    async appendEvents(tx, events) {
      if (events.length === 0) return
      appends.note(tx)
      await appendWithin(tx, events)
    },
    onEvents: signal.subscribe,
    ...hotOperations(pool, appends, hooks),
    check: () => checkStore(db, Date.now()),
    async close() {
      await db.destroy()
      // The builder ends the pool only where it has used it.
      if (!pool.ended) await pool.end()
    },
  }
}

type HotOperations = Pick<
  Store,
  | 'acceptSend'
  | 'claimSends'
  | 'settleSend'
  | 'keepPayload'
  | 'moveMessage'
  | 'claimDeliveries'
  | 'settleDelivery'
  | 'saveSession'
>

function hotOperations(
  pool: pg.Pool,
  appends: ReturnType<typeof watchAppends>,
  { onCommit }: StoreHooks,
): HotOperations {
  const batches = { maxSize: MAX_BATCH, onCommit }
  const accept = createBatcher<SendToAccept, AcceptOutcome>(
    (sends) =>
      appends.after(
        inTransaction(pool, (client) => acceptSends(client, sends), 'begun by the work'),
        () => true,
      ),
    batches,
  )
  return {
    acceptSend: limitWaiting(accept),
    ...laneOperations(pool, appends, batches),
    keepPayload: createBatcher<SentPayload, null>(
      (payloads) => atOnce(keepPayloads(pool, payloads)),
      batches,
    ),
    ...deliveryOperations(pool, batches),
    saveSession: createBatcher<SessionWrite, boolean>(
      (writes) => atOnce(saveSessions(pool, writes)),
      batches,
    ),
  }
}

function laneOperations(
  pool: pg.Pool,
  appends: ReturnType<typeof watchAppends>,
  batches: Parameters<typeof createBatcher>[1],
): Pick<Store, 'claimSends' | 'settleSend' | 'moveMessage'> {
  const work = createBatcher<LaneWork, LaneOutcome>(
    (all) =>
      appends.after(
        inTransaction(pool, (client) => runLaneWork(client, all)),
        (outcomes) => outcomes.some(({ done, claimed }) => done || claimed.length > 0),
      ),
    batches,
  )
  return {
    claimSends: async (input) => (await work({ kind: 'claim', input })).claimed,
    settleSend: async (input) => (await work({ kind: 'settle', input })).done,
    moveMessage: async (input) => (await work({ kind: 'move', input })).done,
  }
}

const deliveryOperations = (
  pool: pg.Pool,
  batches: Parameters<typeof createBatcher>[1],
): Pick<Store, 'claimDeliveries' | 'settleDelivery'> => ({
  claimDeliveries: (request) =>
    inTransaction(pool, (client) => claimDeliveries(client, request), 'begun by the work'),
  settleDelivery: createBatcher<DeliverySettlement, boolean>(
    (settlements) => inTransaction(pool, (client) => settleDeliveries(client, settlements)),
    batches,
  ),
})

function openPool(url: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    // The server's own limit comes first, unless it is the server that does not answer.
    query_timeout: STATEMENT_TIMEOUT_MS + CONNECT_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'switchboard',
    types,
  })
  // An idle connection that breaks is replaced at its next use. One in use tells its query as well; where it has none at
  // that moment, in the midst of a transaction, nobody else listens and the error would end the process.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/** For work that is one statement, and so a transaction by itself. */
const atOnce = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw toStoreError(error)
  })

async function inTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
  begin: 'begin' | 'begun by the work' = 'begin',
): Promise<T> {
  let broken = false
  const client = await pool.connect().catch((error: unknown) => {
    throw toStoreError(error)
  })
  try {
    if (begin === 'begin') await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => {
      broken = true
    })
    throw toStoreError(error)
  } finally {
    client.release(broken)
  }
}

/** The builder takes connections from here, so that its errors are the store's too. */
function withStoreErrors(pool: pg.Pool): ConstructorParameters<typeof PostgresDialect>[0]['pool'] & object {
  return {
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect().catch((error: unknown) => {
        throw toStoreError(error)
      })
      let broken = false
      return {
        release: () => client.release(broken),
        query: ((sql: string, parameters: unknown[]) =>
          client.query(sql, parameters).catch((cause: unknown) => {
            const error = toStoreError(cause)
            // Whatever it was, a fresh connection costs less than one that may still wait for an old answer.
            broken ||= error.kind === 'unavailable'
            throw error
          })) as never,
      }
    },
  } as never
}

async function migrate(pool: pg.Pool): Promise<void> {
  const known = await readMigrations('postgres')
  // Two first starts at once may both try to make the table; the loser fails in one of several ways, and finds it there.
  await pool.query(MIGRATIONS_TABLE).catch(async (error: unknown) => {
    await pool.query('select 1 from schema_migrations limit 1').catch(() => {
      throw error
    })
  })
  await inTransaction(pool, async (client) => {
    await client.query('lock table schema_migrations in access exclusive mode')
    const { rows } = await client.query<AppliedMigration>(
      'select version, name, checksum from schema_migrations order by version',
    )
    for (const { version, name, sql, checksum } of pendingMigrations(known, rows)) {
      await client.query(sql)
      await client.query(
        'insert into schema_migrations (version, name, checksum, applied_at) values ($1, $2, $3, $4)',
        [version, name, checksum, Date.now()],
      )
    }
  })
}
