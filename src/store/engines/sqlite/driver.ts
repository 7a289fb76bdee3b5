// Connects the query builder to the SQLite worker. Reads run at any time; every write and transaction holds the writer's mutex.
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
import type { Mutex } from '../../../kernel/async/mutex.ts'
import type { Tables } from '../../tables.ts'
import type { SqliteClient } from './worker-client.ts'

class SqliteConnection implements DatabaseConnection {
  readonly #client: SqliteClient
  readonly #writer: Mutex
  #releaseWriter: (() => void) | undefined

  constructor(client: SqliteClient, writer: Mutex) {
    this.#client = client
    this.#writer = writer
  }

  async begin(): Promise<void> {
    this.#releaseWriter = await this.#writer.acquire()
    try {
      await this.#run('write', 'begin immediate', [])
    } catch (error) {
      this.#release()
      throw error
    }
  }

  /** A failed commit may leave the transaction open. The builder then rolls back, which releases the mutex. */
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
    if (this.#releaseWriter) return this.#run('write', query.sql, query.parameters)
    if (query.query.kind === 'SelectQueryNode') return this.#run('read', query.sql, query.parameters)
    return this.#writer.runExclusive(() => this.#run('write', query.sql, query.parameters))
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('streaming is not supported: lists are read in pages')
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
    this.#releaseWriter?.()
    this.#releaseWriter = undefined
  }
}

/** The builder's own adapter declares a single connection, which would make every read wait for the open transaction. */
class ReadsBesideWritesAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

function createDriver(client: SqliteClient, writer: Mutex): Driver {
  return {
    init: async () => undefined,
    acquireConnection: async () => new SqliteConnection(client, writer),
    beginTransaction: (connection) => (connection as SqliteConnection).begin(),
    commitTransaction: (connection) => (connection as SqliteConnection).commit(),
    rollbackTransaction: (connection) => (connection as SqliteConnection).rollback(),
    releaseConnection: async () => undefined,
    destroy: async () => undefined,
  }
}

export function createSqliteKysely(client: SqliteClient, writer: Mutex): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new ReadsBesideWritesAdapter(),
      createDriver: () => createDriver(client, writer),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  })
}
