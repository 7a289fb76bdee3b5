// The thread that owns the SQLite file: it runs statements so that a slow disk never holds up the event loop.
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { appendEvents } from './event-operations.ts'
import type { Call, OperationName, Operations, Reply, WorkerSettings } from './protocol.ts'
import { runWrites } from './writes.ts'

/** Statements are compiled once; the builder's texts are few, but searches and lists vary. */
const STATEMENT_CACHE_SIZE = 500

/**
 * Pages of 4 KiB that the log takes before they go into the file: a page that many commits change is then written there
 * once. With the cache, 14k sends a second instead of 10k, for 40 MB of disk and 64 MB of memory at most.
 */
const CHECKPOINT_PAGES = 10_000
const CACHE_KIB = 64 * 1024

/** How long a write waits for whoever else holds the file. Short: all that comes after it waits in the same thread. */
const BUSY_MS = 1000

export type Prepare = (sql: string) => StatementSync

function openConnection(file: string, readOnly: boolean): { db: DatabaseSync; prepare: Prepare } {
  const db = new DatabaseSync(file, { readOnly, enableForeignKeyConstraints: true, timeout: BUSY_MS })
  if (!readOnly) {
    // FULL: one fsync per commit. A commit that was answered survives the loss of power.
    db.exec(
      `pragma journal_mode = wal; pragma synchronous = full;
       pragma wal_autocheckpoint = ${CHECKPOINT_PAGES}; pragma cache_size = -${CACHE_KIB}`,
    )
  }
  const statements = new Map<string, StatementSync>()
  const prepare: Prepare = (sql) => {
    const known = statements.get(sql)
    if (known) return known
    if (statements.size >= STATEMENT_CACHE_SIZE) statements.clear()
    const statement = db.prepare(sql)
    statements.set(sql, statement)
    return statement
  }
  return { db, prepare }
}

type Handlers = { [K in OperationName]: (input: Operations[K]['input']) => Operations[K]['output'] }

function createHandlers(file: string): Handlers {
  const writer = openConnection(file, false)
  const reader = openConnection(file, true)
  // A full disk has rolled back already; rolling back once more would be an error that hides the first.
  const rollback = () => {
    if (writer.db.isTransaction) writer.db.exec('rollback')
  }
  const atomically = <T>(work: (prepare: Prepare) => T): T => {
    writer.db.exec('begin immediate')
    try {
      const result = work(writer.prepare)
      writer.db.exec('commit')
      return result
    } catch (error) {
      rollback()
      throw error
    }
  }
  return {
    query({ connection, sql, parameters }) {
      const statement = (connection === 'read' ? reader : writer).prepare(sql)
      const values = parameters as SQLInputValue[]
      if (statement.columns().length > 0) {
        const rows = statement.all(...values)
        return { rows, affected: rows.length, lastId: 0 }
      }
      const { changes, lastInsertRowid } = statement.run(...values)
      return { rows: [], affected: Number(changes), lastId: Number(lastInsertRowid) }
    },
    script: ({ sql }) => {
      writer.db.exec(sql)
      return null
    },
    rollback: () => {
      rollback()
      return null
    },
    writes: (writes) => atomically((prepare) => runWrites(prepare, writes)),
    append: (events) => {
      appendEvents(writer.prepare, events)
      return null
    },
    close: () => {
      reader.db.close()
      writer.db.close()
      return null
    },
  }
}

function answer(handlers: Handlers, call: Call): Reply {
  try {
    const handle = handlers[call.operation] as (input: unknown) => Operations[OperationName]['output']
    return { id: call.id, ok: true, output: handle(call.input) }
  } catch (error) {
    const { message, errcode } = error as { message?: string; errcode?: number }
    return { id: call.id, ok: false, message: message ?? String(error), errcode: errcode ?? 0 }
  }
}

const port = parentPort
if (!port) throw new Error('this file runs as a worker thread')
const handlers = createHandlers((workerData as WorkerSettings).file)
port.on('message', (calls: Call[]) => port.postMessage(calls.map((call) => answer(handlers, call))))
port.postMessage([])
