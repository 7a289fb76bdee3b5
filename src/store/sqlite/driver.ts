// Lets the query builder talk to the SQLite worker: reads run side by side, transactions hold the writer in turn.
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { Tables } from '../tables.ts'
import type { SqliteClient } from './client.ts'
import type { Turnstile } from './turnstile.ts'

class SqliteConnection implements DatabaseConnection {
  readonly #client: SqliteClient
  readonly #turnstile: Turnstile
  #leave: (() => void) | undefined

  constructor(client: SqliteClient, turnstile: Turnstile) {
    this.#client = client
    this.#turnstile = turnstile
  }

  async begin(): Promise<void> {
    this.#leave = await this.#turnstile.enter()
    try {
      await this.#run('write', 'begin immediate', [])
    } catch (error) {
      this.#release()
      throw error
    }
  }

  /** Where it fails the transaction may still be open: the builder rolls back next, and that releases. */
  async commit(): Promise<void> {
    await this.#run('write', 'commit', [])
    this.#release()
  }

  async rollback(): Promise<void> {
    try {
      await this.#client.call('rollback', null)
    } finally {
      this.#release()
    }
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#leave) return this.#run('write', query.sql, query.parameters)
    if (query.query.kind === 'SelectQueryNode') return this.#run('read', query.sql, query.parameters)
    const leave = await this.#turnstile.enter()
    try {
      return await this.#run('write', query.sql, query.parameters)
    } finally {
      leave()
    }
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('streaming is not offered: lists are paged')
  }

  async #run<R>(
    connection: 'read' | 'write',
    sql: string,
    parameters: readonly unknown[],
  ): Promise<QueryResult<R>> {
    const { rows, affected, lastId } = await this.#client.call('query', { connection, sql, parameters })
    return { rows: rows as R[], numAffectedRows: BigInt(affected), insertId: BigInt(lastId) }
  }

  #release(): void {
    this.#leave?.()
    this.#leave = undefined
  }
}

/** The builder's own adapter promises one connection, and then lets a read wait for every open transaction. */
class ReadsBesideWritesAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

function createDriver(client: SqliteClient, turnstile: Turnstile): Driver {
  return {
    init: async () => undefined,
    acquireConnection: async () => new SqliteConnection(client, turnstile),
    beginTransaction: (connection) => (connection as SqliteConnection).begin(),
    commitTransaction: (connection) => (connection as SqliteConnection).commit(),
    rollbackTransaction: (connection) => (connection as SqliteConnection).rollback(),
    releaseConnection: async () => undefined,
    destroy: async () => undefined,
  }
}

export function createSqliteKysely(client: SqliteClient, turnstile: Turnstile): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new ReadsBesideWritesAdapter(),
      createDriver: () => createDriver(client, turnstile),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  })
}
