/**
 * The SQLite file behind the network, with group commit: writes join one open transaction, which is committed at
 * the end of the event loop's turn. Whoever answers a client waits for `committed()` first, so that nothing is
 * ever acknowledged that a kill could take back, while thousands of stanzas a second share a few commits.
 */
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { MIGRATIONS } from './schema.ts'

export type Database = {
  /** Runs a write inside the open transaction and returns the new row's sequence number. */
  write(sql: string, ...values: SQLInputValue[]): number
  rows<Row>(sql: string, ...values: SQLInputValue[]): Row[]
  /** Resolves once everything written so far is in the file. */
  committed(): Promise<void>
  close(): void
}

export function openDatabase(path: string): Database {
  const database = new DatabaseSync(path)
  try {
    // Exclusive: a second sandbox on the same world is an error. With a write-ahead log, NORMAL survives the death
    // of the process, which is what the kill tests do to it.
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
    migrate(database)
  } catch (error) {
    throw new Error(`cannot use ${path}; is another sandbox running on it?`, { cause: error })
  }
  const statements = new Map<string, StatementSync>()
  const prepare = (sql: string) => {
    const known = statements.get(sql)
    if (known) return known
    const statement = database.prepare(sql)
    statements.set(sql, statement)
    return statement
  }
  let open: PromiseWithResolvers<void> | undefined
  const commit = () => {
    if (!open) return
    const { resolve } = open
    open = undefined
    prepare('COMMIT').run()
    resolve()
  }
  return {
    write(sql, ...values) {
      if (!open) {
        prepare('BEGIN IMMEDIATE').run()
        open = Promise.withResolvers()
        setImmediate(commit)
      }
      return Number(prepare(sql).run(...values).lastInsertRowid)
    },
    rows: <Row>(sql: string, ...values: SQLInputValue[]) => prepare(sql).all(...values) as Row[],
    committed: () => open?.promise ?? Promise.resolve(),
    close() {
      commit()
      database.close()
    },
  }
}

function migrate(database: DatabaseSync): void {
  const { user_version: done } = database.prepare('PRAGMA user_version').get() as { user_version: number }
  for (const [index, migration] of MIGRATIONS.entries()) {
    if (index < done) continue
    database.exec(`BEGIN IMMEDIATE; ${migration}; PRAGMA user_version = ${index + 1}; COMMIT`)
  }
}
