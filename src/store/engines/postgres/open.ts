// Opens the store on PostgreSQL, through a pool of connections.

import { Kysely, PostgresDialect, sql } from 'kysely'
import type pg from 'pg'
import { postgresSearch } from '../../../contacts/search-postgres.ts'
import { appendWithin } from '../../../events/append-postgres.ts'
import type { NewEvent } from '../../../events/rules-payloads.ts'
import { wallClock } from '../../../kernel/async/clock.ts'
import { realTimers, type Timer, type Timers } from '../../../kernel/async/timers.ts'
import { StoreError } from '../../../kernel/store-error.ts'
import { createPostgresMessageSearch } from '../../../messages/search-postgres.ts'
import { type Migration, readMigrations, refuseNewerSchema } from '../../migrations.ts'
import type { CommitMeasure, Store, StoreHooks } from '../../store.ts'
import type { Db, Tables } from '../../tables.ts'
import { createBatcher } from '../batcher.ts'
import { checkStore } from '../check-store.ts'
import { createEventSignal, watchAppends } from '../event-signal.ts'
import { toStoreError } from './errors.ts'
import { openPostgresLeases } from './leases.ts'
import { migratePostgres, readApplied } from './migrate.ts'
import { createPostgresOperations } from './operations.ts'
import { connect, openPool } from './pool.ts'
import { repeatOnConflict } from './repeat-on-conflict.ts'
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

// Watches for migrations that a newer program applies while this one runs. They may be of a kind that this program does not work with.

/** Between a migration and the end of the programs that it leaves behind. */
const CHECK_MS = 5000

interface SchemaWatch {
  pool: Pick<pg.Pool, 'query'>
  known: Migration[]
  /** Called once. */
  onOutdated(error: StoreError): void
  timers?: Timers
}

/** Returns a function that ends it. */
export function watchSchema({ pool, known, onOutdated, timers = realTimers }: SchemaWatch): () => void {
  let isOver = false
  let timer: Timer | undefined
  async function check(): Promise<void> {
    // While the database is unavailable there is nothing to find.
    const applied = await readApplied(pool).catch(() => [])
    if (isOver) return
    try {
      refuseNewerSchema(known, applied)
      schedule()
    } catch (error) {
      if (error instanceof StoreError) onOutdated(error)
    }
  }
  function schedule(): void {
    timer = timers.setTimeout(() => void check(), CHECK_MS)
    timer.unref()
  }
  schedule()
  return () => {
    isOver = true
    timers.clearTimeout(timer)
  }
}

// Connects the query builder to the pool: its errors become errors of the store, and conflicts are repeated.

const createPostgresKysely = (pool: pg.Pool): Kysely<Tables> =>
  new Kysely<Tables>({ dialect: new PostgresDialect({ pool: withStoreErrors(pool) }) })

/** A single statement is repeated here. A transaction is repeated as a whole, by the store. */
function withStoreErrors(pool: pg.Pool): ConstructorParameters<typeof PostgresDialect>[0]['pool'] & object {
  return {
    end: () => pool.end(),
    async connect() {
      const client = await connect(pool)
      let isBroken = false
      let isTransaction = false
      const query = (sql: string, parameters: unknown[]) =>
        client.query(sql, parameters).catch((cause: unknown) => {
          const error = toStoreError(cause)
          // A new connection costs less than one that may still wait for an old answer.
          isBroken ||= error.kind === 'unavailable'
          throw error
        })
      return {
        release: () => client.release(isBroken),
        query: ((sql: string, parameters: unknown[]) => {
          // The builder takes a connection for one statement, or for one transaction.
          isTransaction ||= /^(begin|start transaction)\b/i.test(sql)
          const values = sql.startsWith('select ') ? parameters.map(readable) : parameters
          return isTransaction ? query(sql, values) : repeatOnConflict(() => query(sql, values))
        }) as never,
      }
    },
  } as never
}

/**
 * PostgreSQL refuses a NUL even in a question. Identifiers of strangers may contain one, and no stored text does: the noncharacter makes
 * the question one that finds nothing, as on SQLite. Text that is written is refused, and set aside.
 */
const readable = (value: unknown): unknown =>
  typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uffff') : value

// Transactions of single instances that share a commit. All instances of an account append to one event log, which only one transaction
// at a time can do: when many of them change their state at once, one commit for each is the limit of the account (decision 0094).

/** Instances are locked until the commit, and each work takes a few round trips: more of them would delay arrivals and sends. */
const MAX_BATCH = 16

interface InstanceWork {
  instanceId: number
  work(tx: Db): Promise<unknown>
}

interface SharedParts {
  /** Repeats the transaction when it conflicts with another one. */
  transaction<T>(work: (tx: Db) => Promise<T>): Promise<T>
  /** Appends to the log, as part of the transaction. */
  append(tx: Db, events: NewEvent[]): Promise<void>
  onCommit?: ((measure: CommitMeasure) => void) | undefined
}

interface SharedTransactions {
  run<T>(instanceId: number, work: (tx: Db) => Promise<T>): Promise<T>
  append(tx: Db, events: NewEvent[]): Promise<void>
}

function createSharedTransactions({ transaction, append, onCommit }: SharedParts): SharedTransactions {
  /** The events of a shared transaction wait for its end: accounts are locked after instances, and as briefly as possible. */
  const collected = new WeakMap<Db, NewEvent[]>()

  const commit = (calls: InstanceWork[]): Promise<unknown[]> =>
    transaction(async (tx) => {
      const events: NewEvent[] = []
      collected.set(tx, events)
      const ids = calls.map(({ instanceId }) => instanceId)
      // In the order of decision 0078, because the works come in any order.
      await sql`select id from instances where id = any(${ids}::bigint[]) order by id for no key update`.execute(
        tx,
      )
      const outputs: unknown[] = []
      for (const { work } of calls) outputs.push(await work(tx))
      await append(tx, events)
      return outputs
    })
  const shared = createBatcher(commit, { maxSize: MAX_BATCH, onCommit })

  return {
    run: <T>(instanceId: number, work: (tx: Db) => Promise<T>) => shared({ instanceId, work }) as Promise<T>,
    async append(tx, events) {
      const waiting = collected.get(tx)
      if (waiting) waiting.push(...events)
      else await append(tx, events)
    },
  }
}
