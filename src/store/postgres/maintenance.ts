// Upkeep of the PostgreSQL database: questions over a connection of its own, copies by PostgreSQL's own programs.
import { Client, type QueryResultRow } from 'pg'
import { requireBackupOf, writeBackupFile } from '../backup-file.ts'
import {
  APPLIED_MIGRATIONS,
  type Maintenance,
  MaintenanceError,
  type MigrationRecord,
  schemaStatus,
} from '../maintenance.ts'
import { isMasterKeyOf, MASTER_KEY_MARK } from '../vault.ts'
import { toStoreError } from './postgres-error.ts'
import { openPostgresStore } from './postgres-store.ts'
import { type Program, runProgram } from './programs.ts'

const CONNECT_TIMEOUT_MS = 5000
const UNDEFINED_TABLE = '42P01'

/** Tables, views and sequences that are somebody's: not the system's, not an extension's. */
const OWN_RELATIONS = `select count(*)::int as count from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'v', 'm', 'S', 'f') and n.nspname <> 'information_schema' and n.nspname !~ '^pg_'
    and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype = 'e')`

const DUMP = ['--format=custom', '--no-owner', '--no-privileges', '--no-comments', '--no-password'] as const
const RESTORE = [
  '--no-owner',
  '--no-privileges',
  '--no-comments',
  '--no-password',
  '--single-transaction',
  '--exit-on-error',
  // An empty connection URI: everything comes from the environment.
  '--dbname=postgresql://',
] as const

export function createPostgresMaintenance(databaseUrl: string, environment: NodeJS.ProcessEnv): Maintenance {
  const query = <Row extends QueryResultRow>(sql: string, parameters: unknown[] = []): Promise<Row[]> =>
    withClient(databaseUrl, async (client) => (await client.query<Row>(sql, parameters)).rows)

  const run = (program: Program, parameters: readonly string[]) =>
    runProgram({ program, parameters, databaseUrl, environment })

  async function schema() {
    const rows = await query<Record<keyof MigrationRecord, string>>(APPLIED_MIGRATIONS).catch(
      (error: unknown) => {
        if (codeOf(error) === UNDEFINED_TABLE) return undefined
        throw error
      },
    )
    // 64-bit integers come as text.
    const applied = rows?.map(({ version, name, checksum, appliedAt }) => ({
      version: Number(version),
      name,
      checksum,
      appliedAt: Number(appliedAt),
    }))
    return applied && schemaStatus('postgres', applied)
  }

  return {
    engine: 'postgres',
    schema,
    async migrate() {
      await (await openPostgresStore(databaseUrl)).close()
    },
    backup: (target) => writeBackupFile(target, (partial) => run('pg_dump', [...DUMP, `--file=${partial}`])),
    async restore(source) {
      await requireBackupOf('postgres', source)
      const contents = await run('pg_restore', ['--list', source])
      if (!/ TABLE \S+ schema_migrations /.test(contents))
        throw new MaintenanceError(`${source}: not a backup of Switchboard`)
      const [relations] = await query<{ count: number }>(OWN_RELATIONS)
      if (relations?.count !== 0)
        throw new MaintenanceError('the database is not empty: restore only where no data is')
      await run('pg_restore', [...RESTORE, source])
      // A backup of a newer release is told here, not at the next start.
      await schema()
    },
    // The server checks its own pages; what it offers beyond that is for its superuser.
    integrityFaults: async () => [],
    async checkWrite() {
      await query(
        `insert into facts (name, value) values ('checked_at', $1) on conflict (name) do update set value = excluded.value`,
        [String(Date.now())],
      )
    },
    async opensWith(masterKey) {
      const [mark] = await query<{ value: string }>('select value from facts where name = $1', [
        MASTER_KEY_MARK,
      ])
      return mark && isMasterKeyOf(mark.value, masterKey)
    },
    async now() {
      const [row] = await query<{ ms: string }>('select extract(epoch from clock_timestamp()) * 1000 as ms')
      return Number(row?.ms)
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
