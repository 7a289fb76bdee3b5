// The engines that tests run on: SQLite always, PostgreSQL where a server is available.
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'

export interface Engine {
  name: 'sqlite' | 'postgres'
  /** An empty location for a store; `dispose` removes it. */
  createLocation(): Promise<StoreLocation>
}

export interface StoreLocation {
  directory: string
  databaseUrl: string | undefined
  dispose(): Promise<void>
}

const SERVER_URL = process.env.TEST_DATABASE_URL ?? 'postgres://root@127.0.0.1:5432/postgres'

const sqlite: Engine = {
  name: 'sqlite',
  async createLocation() {
    const directory = await temporaryDirectory()
    return {
      directory,
      databaseUrl: undefined,
      dispose: () => rm(directory, { recursive: true, force: true }),
    }
  },
}

const postgres: Engine = {
  name: 'postgres',
  async createLocation() {
    const directory = await temporaryDirectory()
    const name = emptyDatabases.pop() ?? (await createDatabase())
    return {
      directory,
      databaseUrl: urlOf(name),
      async dispose() {
        await emptyDatabase(name)
        emptyDatabases.push(name)
        await rm(directory, { recursive: true, force: true })
      },
    }
  },
}

/** Databases that tests of this process have left: to empty one takes a tenth of the time of dropping it and creating another. */
const emptyDatabases: string[] = []
const allDatabases: string[] = []

async function createDatabase(): Promise<string> {
  if (allDatabases.length === 0) process.once('exit', dropDatabases)
  const name = `switchboard_test_${randomBytes(6).toString('hex')}`
  allDatabases.push(name)
  await onServer(`create database ${name}`)
  return name
}

/** A test may have put its tables into a schema of its own. */
const DROP_SCHEMAS = `do $$ declare name text; begin
  for name in select nspname from pg_namespace where nspname <> 'information_schema' and nspname !~ '^pg_' loop
    execute format('drop schema %I cascade', name);
  end loop;
end $$`

/** Ends all other connections, so that a process that still runs writes nothing into the next test. */
async function emptyDatabase(name: string): Promise<void> {
  await onDatabase(
    urlOf(name),
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid();
     ${DROP_SCHEMAS}; create schema public authorization pg_database_owner;
     alter database ${name} owner to current_user`,
  )
}

/** In a process of its own, because a process that exits waits for no answer. */
function dropDatabases(): void {
  const script = join(import.meta.dirname, 'drop-databases.ts')
  spawnSync(process.execPath, [script, SERVER_URL, ...allDatabases], { stdio: 'inherit' })
}

function urlOf(database: string): string {
  const url = new URL(SERVER_URL)
  url.pathname = `/${database}`
  return url.href
}

export const temporaryDirectory = (): Promise<string> => mkdtemp(join(tmpdir(), 'switchboard-'))

/** Where no server listens the connection is refused at once. One that listens on a busy machine must not count as absent. */
const CONNECT_MS = 20_000

/** Runs one statement on the server of the PostgreSQL tests, outside the databases of the tests. */
export const onServer = (sql: string): Promise<void> => onDatabase(SERVER_URL, sql)

async function onDatabase(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

async function findEngines(): Promise<Engine[]> {
  if (process.env.TEST_ENGINES === 'sqlite') return [sqlite]
  try {
    await onServer('select 1')
    return [sqlite, postgres]
  } catch (cause) {
    const why = 'no PostgreSQL server: set TEST_DATABASE_URL or start one on 127.0.0.1:5432'
    if (process.env.CI === 'true') throw new Error(why, { cause })
    console.log(`SKIPPED on PostgreSQL: ${why}`)
    return [sqlite]
  }
}

export const engines: Engine[] = await findEngines()
