// Maintenance of a PostgreSQL database: queries over a separate connection, backups by PostgreSQL's own programs.

import { spawn } from 'node:child_process'
import { Client, escapeIdentifier, type QueryResultRow } from 'pg'
import {
  COMMITS_LOST,
  FORGET_RATCHETS,
  type LossRecord,
  RESTORE_MARK,
} from '../../../instances/restore-queries.ts'
import { parseVersionFact, versionFact } from '../../../instances/settings-queries.ts'
import { wallClock } from '../../../kernel/async/clock.ts'
import { requireBackupOf, writeBackupFile } from '../../backup-file.ts'
import {
  type ConnectionLimits,
  type Maintenance,
  MaintenanceError,
  type MigrationRecord,
  type NodeRecord,
  type SchemaStatus,
  schemaStatus,
} from '../../maintenance.ts'
import { APPLIED_MIGRATIONS } from '../../migrations.ts'
import { openProxies, PROXIES, type ProxyRow } from '../../stored-proxies.ts'
import { isMasterKeyOf, MASTER_KEY_MARK } from '../../vault.ts'
import { isPooled } from './connection.ts'
import { toStoreError } from './errors.ts'
import { openPostgresStore } from './open.ts'
import { CONNECTIONS_PER_NODE } from './pool.ts'

const CONNECT_TIMEOUT_MS = 5000
const UNDEFINED_TABLE = '42P01'

/** Counts tables, views and sequences, except those of the system and of extensions. */
export const OWN_RELATIONS = `select count(*)::int as count from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'v', 'm', 'S', 'f') and n.nspname <> 'information_schema' and n.nspname !~ '^pg_'
    and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype = 'e')`

/** Without the processes that use the database, none of which uses the copy, and without files. */
const DUMP = [
  '--format=custom',
  '--no-owner',
  '--no-privileges',
  '--no-comments',
  '--no-password',
  '--exclude-table-data=nodes',
  '--exclude-table-data=received_file_parts',
  '--exclude-table-data=media_upload_parts',
] as const
/** A script on standard output. psql runs it together with the mark in one transaction. */
const RESTORE = ['--no-owner', '--no-privileges', '--no-comments', '--file=-'] as const

/** The script qualifies every table with its schema. */
const markStatement = (schema: string): string =>
  `insert into ${escapeIdentifier(schema)}.facts (name, value) values ('${RESTORE_MARK}', '${wallClock()}')
   on conflict (name) do update set value = excluded.value;`

/** Lives that may still work: a standby without a lease has ended. Ids are exact as floating-point numbers, which are not text. */
const NODES = `with n as (
    select id::float8 as id, name, url, version, status, started_at,
      (lease_until / 1000 - extract(epoch from clock_timestamp()))::int as "secondsLeft" from nodes
  )
  select id, name, url, version, status, "secondsLeft" from n
  where status in ('live', 'draining') or (status = 'standby' and "secondsLeft" > 0) order by status, name, started_at`

type Query = <Row extends QueryResultRow>(sql: string, parameters?: unknown[]) => Promise<Row[]>

export function createPostgresMaintenance(databaseUrl: string, environment: NodeJS.ProcessEnv): Maintenance {
  const query: Query = <Row extends QueryResultRow>(sql: string, parameters: unknown[] = []) =>
    withClient(databaseUrl, async (client) => (await client.query<Row>(sql, parameters)).rows)

  const run = (program: Program, parameters: readonly string[]) =>
    runProgram({ program, parameters, databaseUrl, environment })

  async function schema() {
    const rows = await query<Record<keyof MigrationRecord, string> & { worksWith: string | null }>(
      APPLIED_MIGRATIONS,
    ).catch((error: unknown) => {
      if (codeOf(error) === UNDEFINED_TABLE) return undefined
      throw error
    })
    // The driver returns 64-bit integers as text.
    const applied = rows?.map(({ version, name, checksum, appliedAt, worksWith }) => ({
      version: Number(version),
      name,
      checksum,
      appliedAt: Number(appliedAt),
      worksWith: worksWith === null ? null : Number(worksWith),
    }))
    return applied && schemaStatus('postgres', applied)
  }

  return {
    engine: 'postgres',
    schema,
    async migrate() {
      await (await openPostgresStore(databaseUrl)).close()
    },
    async backup(target) {
      await refusePooler(databaseUrl)
      await writeBackupFile(target, (partial) => run('pg_dump', [...DUMP, `--file=${partial}`]))
    },
    async restore(source) {
      await refusePooler(databaseUrl)
      await restore({ query, run, schema, databaseUrl, environment }, source)
    },
    ...marksOf(databaseUrl, query, schema),
    // The server checks its own pages. Further checks need a superuser.
    integrityFaults: async () => [],
    nodes: () => query<NodeRecord>(NODES).catch(() => []),
    connectionLimits: () => connectionLimits(databaseUrl),
    checkFileRows: () => checkFileRows(databaseUrl),
    proxies: async (masterKey) => openProxies(masterKey, await query<ProxyRow>(PROXIES)),
    async now() {
      const [row] = await query<{ ms: string }>('select extract(epoch from clock_timestamp()) * 1000 as ms')
      return Number(row?.ms)
    },
  }
}

/** The programs of PostgreSQL set the search path of their session, which a pooler may pass on to the server that runs. */
async function refusePooler(databaseUrl: string): Promise<void> {
  // Where no connection is made, the program reports the reason.
  if (await withClient(databaseUrl, isPooled).catch(() => false))
    throw new MaintenanceError(
      'DATABASE_URL leads to a pooler: run this command with the address of the database itself',
    )
}

/** Limits below zero are none. `reserved_connections` exists from PostgreSQL 16 on. */
const CONNECTION_LIMITS = `select least(
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      - coalesce(current_setting('reserved_connections', true), '0')::int,
    (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user),
    (select nullif(datconnlimit, -1) from pg_database where datname = current_database())) as available,
  (select setting::int from pg_settings where name = 'statement_timeout') as "statementTimeoutMs"`

const connectionLimits = (databaseUrl: string): Promise<ConnectionLimits> =>
  withClient(databaseUrl, async (client) => {
    const { rows } =
      await client.query<Pick<ConnectionLimits, 'available' | 'statementTimeoutMs'>>(CONNECTION_LIMITS)
    const [limits] = rows
    if (!limits) throw new MaintenanceError('PostgreSQL did not report its limits')
    return { ...limits, isPooled: await isPooled(client), perNode: CONNECTIONS_PER_NODE }
  })

/** The test file belongs to no message, and no other process ever sees it. */
const FILE_CHECK = [
  'begin',
  'set constraints all deferred',
  "insert into received_file_parts (message_row_id, part, instance_id, sealed) values (0, 0, 0, 'check')",
  'select sealed from received_file_parts where message_row_id = 0',
  'delete from received_file_parts where message_row_id = 0',
  'rollback',
]

async function checkFileRows(databaseUrl: string): Promise<boolean> {
  try {
    await withClient(databaseUrl, async (client) => {
      for (const statement of FILE_CHECK) await client.query(statement)
    })
    return true
  } catch (error) {
    if (codeOf(error) === UNDEFINED_TABLE) return false
    throw error
  }
}

interface RestoreParts {
  query: Query
  run(program: Program, parameters: readonly string[]): Promise<string>
  schema(): Promise<SchemaStatus | undefined>
  databaseUrl: string
  environment: NodeJS.ProcessEnv
}

/** Data and mark in one transaction: no server can start on a copy without the mark. */
async function restore(
  { query, run, schema, databaseUrl, environment }: RestoreParts,
  source: string,
): Promise<void> {
  await requireBackupOf('postgres', source)
  const contents = await run('pg_restore', ['--list', source])
  const schemaName = / TABLE (\S+) schema_migrations /.exec(contents)?.[1]
  if (schemaName === undefined) throw new MaintenanceError(`${source}: not a backup of Switchboard`)
  const [relations] = await query<{ count: number }>(OWN_RELATIONS)
  if (relations?.count !== 0)
    throw new MaintenanceError(
      'the database is not empty: a backup can only be restored into an empty database',
    )
  await pipeToPsql(
    { program: 'pg_restore', parameters: [...RESTORE, source], databaseUrl, environment },
    { first: 'begin;', last: `${markStatement(schemaName)} commit;` },
  )
  // A backup of a newer release is refused here, not at the next start.
  await schema()
}

/** Marks in the table of facts. */
function marksOf(
  databaseUrl: string,
  query: Query,
  schema: () => Promise<SchemaStatus | undefined>,
): Pick<
  Maintenance,
  'restoredAt' | 'clearRestoreMark' | 'checkWrite' | 'opensWith' | 'clientVersion' | 'commitsLost'
> {
  const factOf = async (name: string): Promise<string | undefined> =>
    (await query<{ value: string }>('select value from facts where name = $1', [name]))[0]?.value
  return {
    async restoredAt() {
      if (!(await schema())?.applied.length) return undefined
      const mark = await factOf(RESTORE_MARK)
      return mark === undefined ? undefined : Number(mark)
    },
    async clearRestoreMark() {
      await withClient(databaseUrl, async (client) => {
        await client.query('begin')
        const { rowCount } = await client.query('delete from facts where name = $1', [RESTORE_MARK])
        if (rowCount) for (const statement of FORGET_RATCHETS.postgres) await client.query(statement)
        await client.query('commit')
      })
    },
    clientVersion: async (network) => parseVersionFact(await factOf(versionFact(network))),
    async commitsLost() {
      const record = await factOf(COMMITS_LOST)
      return record === undefined ? undefined : (JSON.parse(record) as LossRecord)
    },
    async checkWrite() {
      await query(
        `insert into facts (name, value) values ('checked_at', $1) on conflict (name) do update set value = excluded.value`,
        [String(wallClock())],
      )
    },
    async opensWith(masterKey) {
      const mark = await factOf(MASTER_KEY_MARK)
      return mark === undefined ? undefined : isMasterKeyOf(mark, masterKey)
    },
  }
}

async function withClient<T>(databaseUrl: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'switchboard-cli',
  })
  try {
    await client.connect()
    return await work(client)
  } catch (error) {
    throw toStoreError(error)
  } finally {
    await client.end().catch(() => undefined)
  }
}

const codeOf = (error: unknown): string | undefined =>
  ((error as { cause?: { code?: string } }).cause ?? {}).code

// Runs PostgreSQL's own programs. The connection is passed in the environment, because every user can read a command line.

/** Parameters of a connection URL, and the environment variables that the programs read instead. */
const PARAMETERS: Record<string, string> = {
  host: 'PGHOST',
  port: 'PGPORT',
  user: 'PGUSER',
  password: 'PGPASSWORD',
  dbname: 'PGDATABASE',
  sslmode: 'PGSSLMODE',
  sslrootcert: 'PGSSLROOTCERT',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
  options: 'PGOPTIONS',
  connect_timeout: 'PGCONNECT_TIMEOUT',
}

/** Secrets that the programs do not need. */
const WITHHELD = new Set(['API_KEY', 'OPERATOR_KEY', 'MASTER_KEY', 'DATABASE_URL'])

const PROGRAM_ERROR_CHARACTERS = 2000

const PSQL = [
  '--no-psqlrc',
  '--quiet',
  '--no-password',
  '--set=ON_ERROR_STOP=1',
  // An empty connection URI: everything comes from the environment.
  '--dbname=postgresql://',
] as const

/** The connection that the driver would make of the URL. */
export function connectionEnvironment(databaseUrl: string): Record<string, string> {
  const url = new URL(databaseUrl)
  const given: Record<string, string> = {
    // The driver's default. The programs would use a socket file.
    PGHOST: url.hostname.replace(/^\[(.*)\]$/, '$1') || 'localhost',
    PGPORT: url.port,
    PGUSER: decodeURIComponent(url.username),
    PGPASSWORD: decodeURIComponent(url.password),
    PGDATABASE: decodeURIComponent(url.pathname.slice(1)),
  }
  for (const [name, value] of url.searchParams) {
    const variable = PARAMETERS[name]
    if (variable !== undefined) given[variable] = value
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''))
}

type Program = 'pg_dump' | 'pg_restore' | 'psql'

interface ProgramRun {
  program: Program
  parameters: readonly string[]
  databaseUrl: string
  environment: NodeJS.ProcessEnv
}

/** Resolves with the output when the program has ended. */
async function runProgram(run: ProgramRun): Promise<string> {
  const { child, ended } = start(run)
  child.stdin.end()
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => void (output += text))
  await ended
  return output
}

/** Pipes the script of a program into psql, between two statements. Nothing is committed unless the whole script arrived. */
async function pipeToPsql(
  source: ProgramRun,
  { first, last }: { first: string; last: string },
): Promise<void> {
  const reader = start(source)
  const writer = start({ ...source, program: 'psql', parameters: PSQL })
  reader.child.stdin.end()
  writer.child.stdout.resume()
  const { stdin } = writer.child
  // A writer that ends early reports its own error. The reader is stopped, because its output has no destination.
  stdin.on('error', () => reader.child.kill())
  stdin.write(`${first}\n`)
  reader.child.stdout.pipe(stdin, { end: false })
  // Without the last statement psql ends inside the transaction, which PostgreSQL then rolls back.
  const read = reader.ended.then(
    () => void stdin.end(`\n${last}\n`),
    (error: unknown) => {
      stdin.end()
      throw error
    },
  )
  const [sent, taken] = await Promise.allSettled([read, writer.ended])
  // If the reader was killed here, the writer's error is the cause.
  const failed = (reader.child.killed ? [taken, sent] : [sent, taken]).find(
    ({ status }) => status === 'rejected',
  )
  if (failed?.status === 'rejected') throw failed.reason
}

/** `ended` rejects with the program's own error message. */
function start({ program, parameters, databaseUrl, environment }: ProgramRun) {
  const inherited = Object.entries(environment).filter(([name]) => !WITHHELD.has(name))
  const child = spawn(program, parameters, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...Object.fromEntries(inherited), ...connectionEnvironment(databaseUrl) },
  })
  let errorOutput = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errorOutput = (errorOutput + text).slice(0, PROGRAM_ERROR_CHARACTERS)
  })
  const closed = Promise.withResolvers<number | null>()
  child.once('error', (error: NodeJS.ErrnoException) => closed.reject(toStartError(program, error)))
  child.once('close', closed.resolve)
  const ended = closed.promise.then((code) => {
    if (code !== 0)
      throw new MaintenanceError(`${program} failed: ${errorOutput.trim() || `exit code ${code}`}`)
  })
  return { child, ended }
}

const toStartError = (program: string, error: NodeJS.ErrnoException): MaintenanceError =>
  new MaintenanceError(
    error.code === 'ENOENT'
      ? `${program} is not installed; install PostgreSQL's client programs (on Debian: postgresql-client) and try again`
      : `${program} cannot be run (${error.code})`,
    error,
  )
