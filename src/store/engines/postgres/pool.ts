// The pool of connections to PostgreSQL, and the transactions that run on it.
import pg from 'pg'
import { applyLimits, type Limits } from './connection.ts'
import { toConnectError, toStoreError } from './errors.ts'
import { repeatOnConflict } from './repeat-on-conflict.ts'
import { checkTimeline, type TimelineGuard } from './timeline.ts'

const POOL_SIZE = 10
/** The pool, and the connection of the lease. */
export const CONNECTIONS_PER_NODE = POOL_SIZE + 1
/** Kept while they are idle: when other programs have taken all connections of the server, closed ones would not come back. */
const KEPT_CONNECTIONS = 2
const CONNECT_TIMEOUT_MS = 5000
/** How long a pool does not grow after the server has refused another connection. */
const FULL_MS = 5000
/** The caller of a statement that takes longer gets 503 and can try again. Transactions wait for nothing but the database. */
const LIMITS: Limits = { statementMs: 30_000, idleInTransactionMs: 10_000 }
const INT8_OID = 20
/** Of the server, the database or the role; and of pgbouncer, which reports a refused login. */
const NO_CONNECTION_LEFT: ReadonlySet<string> = new Set(['53300', '08P01'])

/** The driver returns 64-bit integers as text; ours stay below 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8_OID ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}

export function openPool(url: string, guard: TimelineGuard = { trusted: undefined }): pg.Pool {
  const setLimits = applyLimits(LIMITS)
  const prepare = async (client: pg.ClientBase) => {
    await checkTimeline(client, guard)
    await setLimits(client)
  }
  const pool = new pg.Pool({
    connectionString: url,
    max: POOL_SIZE,
    min: KEPT_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    // The server's own limit comes first, unless the server does not answer at all.
    query_timeout: LIMITS.statementMs + CONNECT_TIMEOUT_MS,
    onConnect: (client): unknown => prepare(client),
    keepAlive: true,
    application_name: 'switchboard',
    types,
  })
  // An idle connection that breaks is replaced at its next use. A connection that breaks inside a transaction, between two
  // queries, emits an error that no query receives: without a listener it would end the process.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/** When the server refuses another connection, the caller waits for one that the pool has. */
export const connect = (pool: pg.Pool): Promise<pg.PoolClient> =>
  pool
    .connect()
    .catch((error: unknown) => {
      if (!NO_CONNECTION_LEFT.has(String((error as { code?: string }).code)) || pool.totalCount === 0)
        throw error
      stopGrowing(pool)
      return pool.connect()
    })
    .catch((error: unknown) => {
      throw toConnectError(error)
    })

function stopGrowing(pool: pg.Pool): void {
  pool.options.max = Math.max(1, pool.totalCount)
  setTimeout(() => (pool.options.max = POOL_SIZE), FULL_MS).unref()
}

type Work<T> = (client: pg.PoolClient) => Promise<T>

/** For work that consists of one statement, which needs no explicit transaction. */
export const inOneStatement = <T>(pool: pg.Pool, work: Work<T>): Promise<T> =>
  repeatOnConflict(async () => {
    const client = await connect(pool)
    let isBroken = false
    try {
      return await work(client)
    } catch (cause) {
      const error = toStoreError(cause)
      isBroken = error.kind === 'unavailable'
      throw error
    } finally {
      client.release(isBroken)
    }
  })

/** Locks are taken in the order of decision 0078. Transactions that conflict nevertheless are repeated. */
export const inTransaction = <T>(pool: pg.Pool, work: Work<T>): Promise<T> =>
  inBegunTransaction(pool, async (client) => {
    await client.query('begin')
    return work(client)
  })

/** For work that begins the transaction itself, in the same round trip as its first statement. */
export const inBegunTransaction = <T>(pool: pg.Pool, work: Work<T>): Promise<T> =>
  repeatOnConflict(() => runOnce(pool, work))

async function runOnce<T>(pool: pg.Pool, work: Work<T>): Promise<T> {
  let isBroken = false
  const client = await connect(pool)
  try {
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => {
      isBroken = true
    })
    throw toStoreError(error)
  } finally {
    client.release(isBroken)
  }
}
