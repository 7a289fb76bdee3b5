// The engines that tests run on: SQLite always, PostgreSQL where a server is available.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'

export interface Engine {
  name: 'sqlite' | 'postgres'
  /** A place of its own, empty; `dispose` removes it. */
  place(): Promise<Place>
}

export interface Place {
  directory: string
  databaseUrl: string | undefined
  dispose(): Promise<void>
}

const SERVER_URL = process.env.TEST_DATABASE_URL ?? 'postgres://root@127.0.0.1:5432/postgres'

const sqlite: Engine = {
  name: 'sqlite',
  async place() {
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
  async place() {
    const directory = await temporaryDirectory()
    const name = `switchboard_test_${randomBytes(6).toString('hex')}`
    await onServer(`create database ${name}`)
    const url = new URL(SERVER_URL)
    url.pathname = `/${name}`
    return {
      directory,
      databaseUrl: url.href,
      async dispose() {
        await onServer(`drop database if exists ${name} with (force)`)
        await rm(directory, { recursive: true, force: true })
      },
    }
  },
}

export const temporaryDirectory = (): Promise<string> => mkdtemp(join(tmpdir(), 'switchboard-'))

/** Where no server listens the connection is refused at once. One that listens on a busy machine must not count as absent. */
const CONNECT_MS = 20_000

/** Runs one statement on the server of the PostgreSQL tests, outside the databases of the tests. */
export async function onServer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: SERVER_URL, connectionTimeoutMillis: CONNECT_MS })
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
