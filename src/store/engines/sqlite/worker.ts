// The thread that owns the SQLite file. All statements run here, so that a slow disk never blocks the event loop.
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { appendEvents } from '../../../events/append-sqlite.ts'
import type { NewEvent } from '../../../events/rules-payloads.ts'
import { saveSession } from '../../../instances/session-sqlite.ts'
import { createBoundedMap } from '../../../kernel/async/bounded-map.ts'
import { recordProgress } from '../../../messages/progress-sqlite.ts'
import { saveReceived } from '../../../receiving/received-sqlite.ts'
import { recordReports } from '../../../receiving/report-sqlite.ts'
import { acceptSend } from '../../../sending/accept-sqlite.ts'
import { claimSends, renewClaim, savePayload, settleSend } from '../../../sending/outbox-sqlite.ts'
import { claimDeliveries, settleDelivery } from '../../../webhooks/deliveries-sqlite.ts'
import type {
  OperationCall,
  OperationInput,
  OperationName,
  OperationOutput,
} from '../../operations/hot-operations.ts'
import type { HotTransaction, Prepare, SqliteOperation } from './hot-transaction.ts'
import type { CommandName, Reply, WorkerCall, WorkerCommands, WorkerSettings } from './worker-protocol.ts'

/** Statements are compiled once. The cache has a limit, because searches and lists vary in their text. */
const STATEMENT_CACHE_SIZE = 500

/**
 * The write-ahead log holds this many pages of 4 KiB before a checkpoint: a page that many commits change is written to the file
 * once. Together with the cache this gives 14k sends per second instead of 10k, for at most 40 MB of disk and 64 MB of memory.
 */
const CHECKPOINT_PAGES = 10_000
const CACHE_KIB = 64 * 1024

/** How long a write waits for another process that holds the file. Short, because the thread runs nothing else meanwhile. */
const BUSY_MS = 1000

function openConnection(file: string, readOnly: boolean): { db: DatabaseSync; prepare: Prepare } {
  const db = new DatabaseSync(file, { readOnly, enableForeignKeyConstraints: true, timeout: BUSY_MS })
  if (!readOnly) {
    // FULL: one fsync per commit. A commit that was acknowledged survives a power failure.
    db.exec(
      `pragma journal_mode = wal; pragma synchronous = full;
       pragma wal_autocheckpoint = ${CHECKPOINT_PAGES}; pragma cache_size = -${CACHE_KIB}`,
    )
  }
  const statements = createBoundedMap<string, StatementSync>(STATEMENT_CACHE_SIZE)
  const prepare: Prepare = (sql) => {
    const known = statements.get(sql)
    if (known) return known
    const statement = db.prepare(sql)
    statements.set(sql, statement)
    return statement
  }
  return { db, prepare }
}

type Handlers = { [K in CommandName]: (input: WorkerCommands[K]['input']) => WorkerCommands[K]['output'] }

function createHandlers(file: string): Handlers {
  const writer = openConnection(file, false)
  const reader = openConnection(file, true)
  // After a full disk SQLite has rolled back already. A second rollback would fail and hide the first error.
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
  /** The next commit that waits for the disk includes this one. */
  const withoutSync = <T>(work: (prepare: Prepare) => T): T => {
    writer.db.exec('pragma synchronous = normal')
    try {
      return atomically(work)
    } finally {
      writer.db.exec('pragma synchronous = full')
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
    runOperations(calls) {
      const run = calls.every(mayBeLost) ? withoutSync : atomically
      return run((prepare) => runOperations(prepare, calls))
    },
    appendEvents: (events) => {
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

/** A power failure that undoes a claim or a result does no harm: the deliveries are posted again, under the same ids. */
const mayBeLost = ({ name }: OperationCall): boolean =>
  name === 'claimDeliveries' || name === 'settleDelivery'

function answer(handlers: Handlers, call: WorkerCall): Reply {
  try {
    const handle = handlers[call.command] as (input: unknown) => WorkerCommands[CommandName]['output']
    return { id: call.id, ok: true, output: handle(call.input) }
  } catch (error) {
    const { message, errcode } = error as { message?: string; errcode?: number }
    return { id: call.id, ok: false, message: message ?? String(error), errcode: errcode ?? 0 }
  }
}

const port = parentPort
if (!port) throw new Error('this file runs as a worker thread')
const handlers = createHandlers((workerData as WorkerSettings).file)
port.on('message', (calls: WorkerCall[]) => port.postMessage(calls.map((call) => answer(handlers, call))))
port.postMessage([])

// Runs a batch of hot operations of any kind in one transaction: most of what a commit costs is its fsync.

type AnyOperation = (
  tx: HotTransaction,
  inputs: OperationInput<OperationName>[],
) => OperationOutput<OperationName>[]

/** In this order within a transaction. Claims come last, so that they find what was accepted and released in it. */
const OPERATIONS: { [K in OperationName]: SqliteOperation<K> } = {
  acceptSend,
  saveSession,
  savePayload,
  settleSend,
  recordProgress,
  recordReports,
  saveReceived,
  settleDelivery,
  renewClaim,
  claimSends,
  claimDeliveries,
}

function runOperations(prepare: Prepare, calls: OperationCall[]): OperationOutput<OperationName>[] {
  const outputs: OperationOutput<OperationName>[] = []
  const events: NewEvent[] = []
  const tx: HotTransaction = { prepare, append: (more) => void events.push(...more) }
  for (const [name, run] of Object.entries(OPERATIONS)) {
    // By now every event of the batch is known, and its deliveries can be claimed in the same transaction.
    if (name === 'claimDeliveries') appendEvents(prepare, events)
    const positions = calls.flatMap((call, position) => (call.name === name ? [position] : []))
    if (positions.length === 0) continue
    const inputs = positions.map((position) => (calls[position] as OperationCall).input)
    const made = (run as AnyOperation)(tx, inputs)
    for (const [index, position] of positions.entries())
      outputs[position] = made[index] as OperationOutput<OperationName>
  }
  return outputs
}
