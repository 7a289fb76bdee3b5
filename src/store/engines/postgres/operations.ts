// The hot operations on PostgreSQL. Operations that lock the same rows share a batcher; the others have one each, and run beside it.
import type pg from 'pg'
import { acceptSend } from '../../operations/accept/postgres.ts'
import { claimDeliveries, settleDelivery } from '../../operations/deliveries/postgres.ts'
import {
  type HotOperations,
  type OperationCall,
  type OperationInput,
  type OperationName,
  type OperationOutput,
} from '../../operations/hot-operations.ts'
import { savePayload } from '../../operations/payload/postgres.ts'
import { saveReceived } from '../../operations/received/postgres.ts'
import { recordReports } from '../../operations/report/postgres.ts'
import { saveSession } from '../../operations/session/postgres.ts'
import type { CommitMeasure } from '../../store.ts'
import { createBatcher, limitWaiting } from '../batcher.ts'
import type { AppendWatch } from '../event-signal.ts'
import { type LaneOperationName, runLaneOperations } from './lane-transaction.ts'
import { inBegunTransaction, inOneStatement, inTransaction } from './pool.ts'
import type { PostgresOperation } from './statement.ts'

const MAX_BATCH = 256

interface OperationParts {
  pool: pg.Pool
  appends: AppendWatch
  onCommit?: ((measure: CommitMeasure) => void) | undefined
}

/** How the calls of a batch reach the server. */
type RunBatch = <T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>) => Promise<T>

export function createPostgresOperations({ pool, appends, onCommit }: OperationParts): HotOperations {
  const batches = { maxSize: MAX_BATCH, onCommit }
  const batched = <K extends OperationName>(runBatch: RunBatch, operation: PostgresOperation<K>) =>
    createBatcher<OperationInput<K>, OperationOutput<K>>(
      (inputs) => runBatch(pool, (client) => operation(client, inputs)),
      batches,
    )
  const accepting = createBatcher<OperationInput<'acceptSend'>, OperationOutput<'acceptSend'>>(
    (sends) =>
      appends.after(
        inBegunTransaction(pool, (client) => acceptSend(client, sends)),
        () => true,
      ),
    batches,
  )
  const laneCalls = createBatcher<OperationCall<LaneOperationName>, OperationOutput<LaneOperationName>>(
    (calls) =>
      appends.after(
        inTransaction(pool, (client) => runLaneOperations(client, calls)),
        (outputs) =>
          calls.some(({ name }, position) => name !== 'renewClaim' && hasWritten(outputs[position])),
      ),
    batches,
  )
  const reporting = createBatcher<OperationInput<'recordReports'>, OperationOutput<'recordReports'>>(
    (calls) =>
      appends.after(
        inTransaction(pool, (client) => recordReports(client, calls)),
        (outputs) => outputs.flat().includes(true),
      ),
    batches,
  )
  const receiving = createBatcher<OperationInput<'saveReceived'>, OperationOutput<'saveReceived'>>(
    (writes) =>
      appends.after(
        inTransaction(pool, (client) => saveReceived(client, writes)),
        (outputs) => outputs.includes(true),
      ),
    batches,
  )
  const laneOperation =
    <K extends LaneOperationName>(name: K) =>
    (input: OperationInput<K>) =>
      laneCalls({ name, input } as OperationCall<LaneOperationName>) as Promise<OperationOutput<K>>
  return {
    acceptSend: limitWaiting(accepting),
    claimSends: laneOperation('claimSends'),
    renewClaim: laneOperation('renewClaim'),
    settleSend: laneOperation('settleSend'),
    recordProgress: laneOperation('recordProgress'),
    recordReports: reporting,
    savePayload: batched(inOneStatement, savePayload),
    saveSession: batched(inOneStatement, saveSession),
    saveReceived: receiving,
    settleDelivery: batched(inTransaction, settleDelivery),
    // One worker claims at a time, so that there is nothing to batch.
    claimDeliveries: (request) => inBegunTransaction(pool, (client) => claimDeliveries(client, request)),
  }
}

const hasWritten = (output: OperationOutput<LaneOperationName> | undefined): boolean =>
  output === true || (Array.isArray(output) && output.length > 0)
