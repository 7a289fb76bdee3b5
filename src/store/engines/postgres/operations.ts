// The hot operations on PostgreSQL. Operations that lock the same rows share a batcher; the others have one each, and run beside it.
import type pg from 'pg'
import { saveSession } from '../../../instances/session-postgres.ts'
import { saveReceived } from '../../../receiving/received-postgres.ts'
import { recordReports } from '../../../receiving/report-postgres.ts'
import { acceptSend } from '../../../sending/accept-postgres.ts'
import { savePayload } from '../../../sending/outbox-postgres.ts'
import { claimDeliveries, settleDelivery } from '../../../webhooks/deliveries-postgres.ts'
import type {
  HotOperations,
  OperationCall,
  OperationInput,
  OperationName,
  OperationOutput,
} from '../../operations/hot-operations.ts'
import type { CommitMeasure } from '../../store.ts'
import { createBatcher, limitWaiting } from '../batcher.ts'
import type { EventSignal } from '../event-signal.ts'
import { type LaneOperationName, runLaneOperations } from './lane-transaction.ts'
import { inBegunTransaction, inOneStatement, inTransaction } from './pool.ts'
import { ofOneTransaction, type PostgresOperation, type QueryClient } from './statement.ts'

const MAX_BATCH = 256

interface OperationParts {
  pool: pg.Pool
  signal: Pick<EventSignal, 'notify'>
  onCommit?: ((measure: CommitMeasure) => void) | undefined
}

/** How the calls of a batch reach the server. */
type RunBatch = <T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>) => Promise<T>

export function createPostgresOperations({ pool, signal, onCommit }: OperationParts): HotOperations {
  const batches = { maxSize: MAX_BATCH, onCommit }
  const batched = <K extends OperationName>(runBatch: RunBatch, operation: PostgresOperation<K>) =>
    createBatcher<OperationInput<K>, OperationOutput<K>>(
      (inputs) => runBatch(pool, (client) => operation(client, inputs)),
      batches,
    )
  /** Signals after the commit, if the outputs show that events were appended. */
  const appending = <I, O>(
    runBatch: RunBatch,
    operation: (client: QueryClient, inputs: I[]) => Promise<O[]>,
    hasAppended: (outputs: O[], inputs: I[]) => boolean,
  ) =>
    createBatcher<I, O>(async (inputs) => {
      const { outputs, areDeliveriesDue } = await runBatch(pool, async (connection) => {
        const client = ofOneTransaction(connection)
        const made = await operation(client, inputs)
        return { outputs: made, areDeliveriesDue: client.hasDeliveries === true }
      })
      if (hasAppended(outputs, inputs)) signal.notify({ areDeliveriesDue })
      return outputs
    }, batches)
  const laneCalls = appending<OperationCall<LaneOperationName>, OperationOutput<LaneOperationName>>(
    inTransaction,
    runLaneOperations,
    (outputs, calls) =>
      calls.some(({ name }, position) => name !== 'renewClaim' && hasWritten(outputs[position])),
  )
  const laneOperation =
    <K extends LaneOperationName>(name: K) =>
    (input: OperationInput<K>) =>
      laneCalls({ name, input } as OperationCall<LaneOperationName>) as Promise<OperationOutput<K>>
  return {
    acceptSend: limitWaiting(appending(inBegunTransaction, acceptSend, () => true)),
    claimSends: laneOperation('claimSends'),
    renewClaim: laneOperation('renewClaim'),
    settleSend: laneOperation('settleSend'),
    recordProgress: laneOperation('recordProgress'),
    recordReports: appending(inTransaction, recordReports, (outputs) => outputs.flat().includes(true)),
    savePayload: batched(inOneStatement, savePayload),
    saveSession: batched(inOneStatement, saveSession),
    saveReceived: appending(inTransaction, saveReceived, (outputs) => outputs.includes(true)),
    settleDelivery: batched(inTransaction, settleDelivery),
    // One worker claims at a time, so that there is nothing to batch.
    claimDeliveries: (request) => inBegunTransaction(pool, (client) => claimDeliveries(client, request)),
  }
}

const hasWritten = (output: OperationOutput<LaneOperationName> | undefined): boolean =>
  output === true || (Array.isArray(output) && output.length > 0)
