// The pool of connections to PostgreSQL, and the transactions that run on it.
import pg from 'pg'
import { toConnectError, toStoreError } from './errors.ts'
import { repeatOnConflict } from './repeat-on-conflict.ts'

const POOL_SIZE = 10
const CONNECT_TIMEOUT_MS = 5000
/** A statement that runs longer waits for a lock or has a bug. The caller gets 503 and can try again. */
const STATEMENT_TIMEOUT_MS = 30_000
/** A process that is suspended inside a transaction must not keep its rows locked. Ours wait for nothing but the database. */
const IDLE_IN_TRANSACTION_MS = 10_000
const INT8_OID = 20

/** The driver returns 64-bit integers as text; ours stay below 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8_OID ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}

export function openPool(url: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    // The server's own limit comes first, unless the server does not answer at all.
    query_timeout: STATEMENT_TIMEOUT_MS + CONNECT_TIMEOUT_MS,
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

export const connect = (pool: pg.Pool): Promise<pg.PoolClient> =>
  pool.connect().catch((error: unknown) => {
    throw toConnectError(error)
  })

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
