// Applies the pending migrations of PostgreSQL while other programs may use the database (decision 0092).
//
// One program migrates at a time. It holds a lock on `schema_migrations` over a connection of its own for as long as that takes; the
// others poll for the lock, and then find nothing to do. Each migration is a transaction, which gives up a lock that it does not get
// soon and tries again: a statement that waits for a table also stops everything that comes after it. The statements of a concurrent
// migration run one by one outside a transaction.
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { StoreError } from '../../../kernel/store-error.ts'
import { indexStatements } from '../../migration-header.ts'
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
import type { StoreLog } from '../../store.ts'
import { isPooled } from './connection.ts'
import { toConnectError } from './errors.ts'

const CONNECT_TIMEOUT_MS = 5000
/** While a program holds the lock it shows this often that it is not frozen, and it loses the lock after three times as long. */
const LOCK_RENEWAL_MS = 3000
const LOCK_POLL_MS = 200
/** A lock that was not granted in time, and a deadlock. */
const LOCK_CODES: ReadonlySet<string> = new Set(['55P03', '40P01'])
const UNDEFINED_TABLE = '42P01'

export interface MigrateOptions {
  log?: StoreLog | undefined
  /** Tests replace these. */
  known?: Migration[]
  lockTimeoutMs?: number
  maxTries?: number
  retryMs?: number
}

type Job = Required<Omit<MigrateOptions, 'log'>> & { url: string; log: StoreLog }

const SILENT: StoreLog = { info: () => undefined, warn: () => undefined }

export async function migratePostgres(url: string, options: MigrateOptions = {}): Promise<void> {
  const { log = SILENT, known = await readMigrations('postgres') } = options
  const { lockTimeoutMs = 2000, maxTries = 60, retryMs = 1000 } = options
  const job: Job = { url, log, known, lockTimeoutMs, maxTries, retryMs }
  await onConnection(url, async (client) => {
    await requireTransactions(client)
    if ((await findPending(client, known)).length === 0) return
    await prepareTable(client, job)
    await underLock(job, async () => {
      // Another program may have applied them while this one waited.
      const applied = await readApplied(client)
      // The programs that run know this version at most.
      const newest = Math.max(0, ...applied.map(({ version }) => version))
      for (const migration of pendingMigrations(known, applied)) {
        if (migration.worksWith > newest) await untilAlone(client, migration, job)
        await apply(client, migration, job)
      }
    })
  })
}

/** pgbouncer can be set to give each statement another session of the server. It ends a connection that begins a transaction. */
async function requireTransactions(client: pg.Client): Promise<void> {
  if (!(await isPooled(client))) return
  try {
    await client.query('begin')
    await client.query('rollback')
  } catch (error) {
    const why =
      'the pooler does not accept transactions; set it to session or transaction mode, not to statement mode'
    throw new StoreError('failed', `DATABASE_URL: ${why}`, error)
  }
}

/** What is applied, without a lock: most starts find nothing to do, and wait for nothing. */
export async function readApplied(client: Pick<pg.Pool, 'query'>): Promise<AppliedMigration[]> {
  const { rows } = await client
    .query<{ version: string; name: string; checksum: string; worksWith: string | null }>(APPLIED_MIGRATIONS)
    .catch((error: unknown) => (codeOf(error) === UNDEFINED_TABLE ? { rows: [] } : Promise.reject(error)))
  // The driver returns 64-bit integers as text.
  return rows.map(({ version, name, checksum, worksWith }) => ({
    version: Number(version),
    name,
    checksum,
    worksWith: worksWith === null ? null : Number(worksWith),
  }))
}

const findPending = async (client: pg.Client, known: Migration[]): Promise<Migration[]> =>
  pendingMigrations(known, await readApplied(client))

/** The lease of a process that was killed ends within this time. */
const RUNNING = `select name from nodes where status <> 'dead'
  and lease_until > (extract(epoch from clock_timestamp()) * 1000)::bigint`

/** A migration that works with no older program waits until none runs: they would end, and serve nothing until then. */
async function untilAlone(client: pg.Client, { version, name }: Migration, job: Job): Promise<void> {
  for (let count = 1; ; count += 1) {
    const { rows } = await client
      .query<{ name: string }>(RUNNING)
      .catch((error: unknown) => (codeOf(error) === UNDEFINED_TABLE ? { rows: [] } : Promise.reject(error)))
    if (rows.length === 0) return
    const running = rows.map((row) => row.name).join(', ')
    if (count >= job.maxTries) throw notAlone(version, name, running)
    job.log.warn({ version, name, running }, 'migrations: waiting until the older programs have stopped')
    await pause(job.retryMs)
  }
}

const notAlone = (version: number, name: string, running: string): StoreError =>
  new StoreError(
    'failed',
    `migration ${version} (${name}) works with no older program, and some still run: ${running}. Nothing was changed by it. ` +
      'Stop them, and start again',
  )

/** Two first starts at the same time may both create the table. The second one fails, and then finds the table there. */
async function prepareTable(client: pg.Client, job: Job): Promise<void> {
  await client.query(MIGRATIONS_TABLE).catch(async (error: unknown) => {
    await client.query('select 1 from schema_migrations limit 1').catch(() => {
      throw error
    })
  })
  // The table of an earlier release lacks the column.
  await retryLocks(client, job, 'the table of migrations', async () => {
    const { rowCount } = await client.query(
      `select 1 from pg_attribute where attrelid = 'schema_migrations'::regclass and attname = 'works_with'`,
    )
    if (rowCount === 0) await client.query('alter table schema_migrations add column works_with bigint')
  })
}

const LOCK = 'lock table schema_migrations in share update exclusive mode'

/**
 * Rows can be read and written under this lock, which only excludes itself. Its transaction holds no snapshot, so that an index that
 * is built concurrently does not wait for it. A program that was frozen loses the lock; what it goes on to do fails, because the same
 * migration cannot be recorded twice.
 */
async function underLock(job: Job, work: () => Promise<void>): Promise<void> {
  await onConnection(job.url, async (holder) => {
    await takeLock(holder, job)
    const renewal = setInterval(() => void holder.query(LOCK).catch(() => undefined), LOCK_RENEWAL_MS)
    try {
      await work()
    } finally {
      clearInterval(renewal)
    }
    await holder.query('commit')
  })
}

/**
 * Polls for the lock. A statement that waits for a lock keeps its snapshot of the catalog: an index that the holder builds
 * concurrently would wait for that snapshot, and the snapshot for the holder.
 */
async function takeLock(holder: pg.Client, { log }: Job): Promise<void> {
  for (let count = 1; ; count += 1) {
    try {
      await holder.query('begin')
      await holder.query(`set local idle_in_transaction_session_timeout = ${3 * LOCK_RENEWAL_MS}`)
      await holder.query(`${LOCK} nowait`)
      return
    } catch (error) {
      await holder.query('rollback').catch(() => undefined)
      if (!LOCK_CODES.has(codeOf(error))) throw error
      if (count === 1)
        log.info({}, 'migrations: another program migrates this database; waiting until it is done')
    }
    await pause(LOCK_POLL_MS)
  }
}

async function apply(client: pg.Client, migration: Migration, job: Job): Promise<void> {
  const { version, name, sql, isConcurrent } = migration
  job.log.info({ version, name }, 'migrations: applying')
  const record = () =>
    client.query(
      `insert into schema_migrations (${RECORDED_COLUMNS}) values ($1, $2, $3, $4, $5)`,
      recordOf(migration),
    )
  if (isConcurrent) {
    await buildIndexes(client, migration)
    await record()
    return
  }
  await retryLocks(client, job, `migration ${version} (${name})`, async () => {
    await client.query(sql)
    await record()
  })
}

/**
 * Without a limit for locks: these statements stop no reads and writes while they wait. A build that was interrupted leaves an index
 * that is invalid, which `if not exists` would take for the finished one.
 */
async function buildIndexes(client: pg.Client, migration: Migration): Promise<void> {
  await liftTimeLimit(client, migration)
  for (const { sql, index } of indexStatements(migration)) {
    const { rowCount } = await client.query(
      'select 1 from pg_index where indexrelid = to_regclass($1) and not indisvalid',
      [index],
    )
    if (rowCount !== 0) await client.query(`drop index concurrently if exists ${pg.escapeIdentifier(index)}`)
    await client.query(sql)
  }
}

/** Behind a pooler, the setting could reach the session of another client and not this one. */
async function liftTimeLimit(client: pg.Client, { version, name }: Migration): Promise<void> {
  if (!(await isPooled(client))) return void (await client.query('set statement_timeout = 0'))
  const { rows } = await client.query<{ limit: string }>(
    `select current_setting('statement_timeout') as limit`,
  )
  if (rows[0]?.limit === '0') return
  throw new StoreError(
    'failed',
    `migration ${version} (${name}) builds an index, which may take longer than the statement_timeout of the role: run ` +
      'the command migrate with the address of the database itself in DATABASE_URL, not that of the pooler',
  )
}

/** Runs `work` in a transaction. A lock that it does not get within the limit ends the transaction, which is then repeated. */
async function retryLocks(
  client: pg.Client,
  { log, lockTimeoutMs, maxTries, retryMs }: Job,
  what: string,
  work: () => Promise<void>,
): Promise<void> {
  for (let count = 1; ; count += 1) {
    try {
      await client.query('begin')
      await client.query(`set local lock_timeout = ${lockTimeoutMs}; set local statement_timeout = 0`)
      await work()
      await client.query('commit')
      return
    } catch (error) {
      await client.query('rollback').catch(() => undefined)
      if (!LOCK_CODES.has(codeOf(error))) throw error
      if (count >= maxTries) throw notLocked(what, count, lockTimeoutMs, error)
      log.warn({ what, count }, 'migrations: other transactions hold the tables; retrying')
    }
    await pause(retryMs)
  }
}

const notLocked = (what: string, count: number, limitMs: number, cause: unknown): StoreError =>
  new StoreError(
    'failed',
    `${what}: other transactions hold its tables (${count} tries of ${limitMs} ms). Nothing was changed by it. Find the ` +
      'transactions in pg_stat_activity (the oldest xact_start), end them, and start again',
    cause,
  )

/** Without the time limits of the pool: to move the rows of a table or to build an index may take long. */
async function onConnection<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'switchboard migrations',
  })
  // A connection that breaks between two queries emits an error, which would end the process. The next query reports it.
  client.on('error', () => undefined)
  try {
    await client.connect().catch((error: unknown) => {
      throw toConnectError(error)
    })
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

const codeOf = (error: unknown): string => String((error as { code?: string }).code)
