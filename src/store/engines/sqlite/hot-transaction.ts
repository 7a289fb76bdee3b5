// The transaction in which the worker thread runs a batch of hot operations.
import type { StatementSync } from 'node:sqlite'
import type { NewEvent } from '../../../events/rules-payloads.ts'
import type { OperationInput, OperationName, OperationOutput } from '../../operations/hot-operations.ts'

/** Compiles a statement, or returns it from the cache. */
export type Prepare = (sql: string) => StatementSync

export interface HotTransaction {
  prepare: Prepare
  /** Collects events until all their causes are written. Appending many at once costs little more than appending one. */
  append(events: NewEvent[]): void
}

/** Runs all calls of one operation that share a transaction. One output for each input, in the same order. */
export type SqliteOperation<K extends OperationName> = (
  tx: HotTransaction,
  inputs: OperationInput<K>[],
) => OperationOutput<K>[]
