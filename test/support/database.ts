// A second connection to the database of a location, for what a test must read or change without the server.
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { databaseFile } from '../../src/store/engines/sqlite/open.ts'
import type { StoreLocation } from './engines.ts'

export interface Database {
  /** Runs one statement without parameters and returns its rows. */
  rows<T>(sql: string): Promise<T[]>
  close(): Promise<void>
}

export async function openDatabase(storeLocation: StoreLocation): Promise<Database> {
  if (storeLocation.databaseUrl === undefined) {
    const db = new DatabaseSync(databaseFile(storeLocation.directory), { timeout: 30_000 })
    return { rows: async <T>(sql: string) => db.prepare(sql).all() as T[], close: async () => db.close() }
  }
  const client = new pg.Client({ connectionString: storeLocation.databaseUrl })
  // A test may end this connection on purpose; its next query then fails with an error of its own.
  client.on('error', () => undefined)
  await client.connect()
  return {
    rows: async <T>(sql: string) => (await client.query(sql)).rows as T[],
    close: () => client.end(),
  }
}

export async function withDatabase<T>(
  storeLocation: StoreLocation,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = await openDatabase(storeLocation)
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}
