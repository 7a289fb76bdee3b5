// The messages between the main thread and the worker thread that owns the database file.
import type { NewEvent } from '../../../events/rules-payloads.ts'
import type { OperationCall, OperationName, OperationOutput } from '../../operations/hot-operations.ts'

/** `read` sees the last commit; `write` is the only connection that changes the database. */
export type ConnectionName = 'read' | 'write'

export interface WorkerCommands {
  query: {
    input: { connection: ConnectionName; sql: string; parameters: readonly unknown[] }
    output: QueryOutput
  }
  script: { input: { sql: string }; output: null }
  rollback: { input: null; output: null }
  /** Runs a batch of hot operations in a transaction of its own. */
  runOperations: { input: OperationCall[]; output: OperationOutput<OperationName>[] }
  /** Appends events in the transaction that is open. */
  appendEvents: { input: NewEvent[]; output: null }
  close: { input: null; output: null }
}

export interface QueryOutput {
  rows: unknown[]
  affected: number
  lastId: number
}

export type CommandName = keyof WorkerCommands

export interface WorkerCall {
  id: number
  command: CommandName
  input: WorkerCommands[CommandName]['input']
}

export type Reply =
  | { id: number; ok: true; output: WorkerCommands[CommandName]['output'] }
  | { id: number; ok: false; message: string; errcode: number }

export interface WorkerSettings {
  file: string
}
