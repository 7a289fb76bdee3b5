// What the hot operations on PostgreSQL are written with: a client, and statements that the server plans once.
import type pg from 'pg'
import type { NewEvent } from '../../../events/rules-payloads.ts'
import type { OperationInput, OperationName, OperationOutput } from '../../operations/hot-operations.ts'

export interface QueryClient extends Pick<pg.PoolClient, 'query'> {
  /** Set when a statement has created deliveries. */
  hasDeliveries?: boolean
}

/** For one transaction: what it sets does not stay with the connection. */
export const ofOneTransaction = (client: pg.PoolClient): QueryClient => ({ query: client.query.bind(client) })

/** A statement with a name: the server plans it once per connection. */
export function prepared(name: string, text: string) {
  return (values: unknown[]) => ({ name, text, values })
}

/** Runs all calls of one operation that share a transaction. One output for each input, in the same order. */
export type PostgresOperation<K extends OperationName> = (
  client: QueryClient,
  inputs: OperationInput<K>[],
) => Promise<OperationOutput<K>[]>

/** The outputs of an operation, and the events that the transaction appends at its end. */
export interface WithEvents<O> {
  outputs: O[]
  events: NewEvent[]
}
