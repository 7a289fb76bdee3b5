// What passes between the main thread and the thread that owns the database file.
import type { NewEvent } from '../event-log.ts'
import type { Write, WriteOutput } from './writes.ts'

/** `read` sees the last commit; `write` is the one connection that changes things. */
export type Connection = 'read' | 'write'

export interface Operations {
  query: {
    input: { connection: Connection; sql: string; parameters: readonly unknown[] }
    output: QueryOutput
  }
  script: { input: { sql: string }; output: null }
  rollback: { input: null; output: null }
  /** In one transaction of their own. */
  writes: { input: Write[]; output: WriteOutput[] }
  /** Inside the transaction that is open. */
  append: { input: NewEvent[]; output: null }
  close: { input: null; output: null }
}

export interface QueryOutput {
  rows: unknown[]
  affected: number
  lastId: number
}

export type OperationName = keyof Operations

export interface Call {
  id: number
  operation: OperationName
  input: Operations[OperationName]['input']
}

export type Reply =
  | { id: number; ok: true; output: Operations[OperationName]['output'] }
  | { id: number; ok: false; message: string; errcode: number }

export interface WorkerSettings {
  file: string
}
