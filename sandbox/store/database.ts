// The SQLite database of the sandbox, with group commit: writes join one open transaction, which is committed at the end of
// the event loop's turn. Code that answers a client awaits `committed()` first, so that no answer confirms a write that a crash
// could undo, while thousands of stanzas per second share a few commits.
//
// When a write or a commit fails, for instance because the disk is full, the whole transaction is rolled back: `committed()`
// rejects, and the state in memory is read again from the database.
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'

export interface Database {
  /** Runs a write inside the open transaction and returns the new row's sequence number. */
  write(sql: string, ...values: SQLInputValue[]): number
  rows<Row>(sql: string, ...values: SQLInputValue[]): Row[]
  /** Resolves when all writes so far are committed; rejects when they were rolled back. */
  committed(): Promise<void>
  /** Calls `restore` after a rollback, because the state in memory may contain changes that were undone. */
  onRollback(restore: () => void): void
  close(): void
}

export function openDatabase(path: string): Database {
  const database = new DatabaseSync(path)
  try {
    // Exclusive: a second sandbox on the same file is an error. With a write-ahead log, NORMAL survives the death of the
    // process, which is what the crash tests cause.
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
    migrate(database)
  } catch (error) {
    throw new Error(`cannot use ${path}; is another sandbox running on it?`, { cause: error })
  }
  const prepare = statementsOf(database)
  const transaction = groupCommit(database, prepare)
  return {
    write(sql, ...values) {
      try {
        transaction.begin()
        return Number(prepare(sql).run(...values).lastInsertRowid)
      } catch (error) {
        transaction.rollBack(error)
        throw error
      }
    },
    rows: <Row>(sql: string, ...values: SQLInputValue[]) => prepare(sql).all(...values) as Row[],
    committed: transaction.committed,
    onRollback: transaction.onRollback,
    close() {
      transaction.commit()
      database.close()
    },
  }
}

function statementsOf(database: DatabaseSync): (sql: string) => StatementSync {
  const statements = new Map<string, StatementSync>()
  return (sql) => {
    const known = statements.get(sql)
    if (known) return known
    const statement = database.prepare(sql)
    statements.set(sql, statement)
    return statement
  }
}

function groupCommit(database: DatabaseSync, prepare: (sql: string) => StatementSync) {
  const restores: (() => void)[] = []
  let open: PromiseWithResolvers<void> | undefined
  /** The failure of this turn of the event loop: code may call `committed()` just after the write of other code has failed. */
  let failed: { cause: unknown } | undefined
  const rollBack = (cause: unknown): void => {
    const lost = open
    open = undefined
    failed = { cause }
    setImmediate(() => (failed = undefined))
    // SQLite ends the transaction on some failures and leaves it open on others.
    if (database.isTransaction) database.exec('ROLLBACK')
    for (const restore of restores) restore()
    lost?.reject(cause)
  }
  const commit = (): void => {
    if (!open) return
    try {
      prepare('COMMIT').run()
    } catch (error) {
      rollBack(error)
      return
    }
    open.resolve()
    open = undefined
  }
  return {
    begin() {
      if (open) return
      prepare('BEGIN IMMEDIATE').run()
      open = Promise.withResolvers()
      // Without a handler, a failure that no code awaits would end the process.
      open.promise.catch(() => undefined)
      setImmediate(commit)
    },
    commit,
    rollBack,
    committed: (): Promise<void> =>
      failed ? Promise.reject(failed.cause) : (open?.promise ?? Promise.resolve()),
    onRollback: (restore: () => void) => void restores.push(restore),
  }
}

function migrate(database: DatabaseSync): void {
  const { user_version: done } = database.prepare('PRAGMA user_version').get() as { user_version: number }
  for (const [index, migration] of MIGRATIONS.entries()) {
    if (index < done) continue
    database.exec(`BEGIN IMMEDIATE; ${migration}; PRAGMA user_version = ${index + 1}; COMMIT`)
  }
}

// The tables of the sandbox's SQLite file. A change adds an entry; an existing entry is never edited.
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE accounts (number TEXT PRIMARY KEY, document TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE devices (number TEXT, id INTEGER, document TEXT NOT NULL, PRIMARY KEY (number, id)) WITHOUT ROWID;
  CREATE TABLE groups (jid TEXT PRIMARY KEY, document TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE pre_keys (
    number TEXT, device INTEGER, key_id INTEGER, value BLOB NOT NULL,
    PRIMARY KEY (number, device, key_id)
  ) WITHOUT ROWID;
  CREATE TABLE phone_keys (
    number TEXT, type TEXT, id TEXT, value TEXT NOT NULL, PRIMARY KEY (number, type, id)
  ) WITHOUT ROWID;
  CREATE TABLE queue (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, number TEXT NOT NULL, device INTEGER NOT NULL,
    class TEXT NOT NULL, stanza_id TEXT NOT NULL, stanza BLOB NOT NULL
  );
  CREATE INDEX queue_by_device ON queue (number, device, class, stanza_id);
  CREATE TABLE messages (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, number TEXT NOT NULL, id TEXT NOT NULL, chat TEXT NOT NULL,
    author TEXT NOT NULL, from_me INTEGER NOT NULL, status TEXT NOT NULL, timestamp INTEGER NOT NULL,
    shown TEXT NOT NULL, content BLOB NOT NULL
  );
  CREATE UNIQUE INDEX messages_by_id ON messages (number, id, author);
  CREATE INDEX messages_by_chat ON messages (number, chat, seq);
  CREATE TABLE app_state (
    number TEXT, collection TEXT, version INTEGER, patch BLOB NOT NULL,
    PRIMARY KEY (number, collection, version)
  ) WITHOUT ROWID;
  CREATE TABLE frames (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, at_ms INTEGER NOT NULL, direction TEXT NOT NULL,
    number TEXT NOT NULL, device INTEGER NOT NULL, tag TEXT NOT NULL, stanza_id TEXT NOT NULL,
    attributes TEXT NOT NULL
  );
  CREATE INDEX frames_by_id ON frames (stanza_id);
  `,
  `
  CREATE TABLE chat_settings (
    number TEXT, chat TEXT, document TEXT NOT NULL, PRIMARY KEY (number, chat)
  ) WITHOUT ROWID;
  `,
]
