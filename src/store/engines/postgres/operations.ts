// The hot operations on PostgreSQL. Operations that lock the same rows share a batcher; the others have one each, and run beside it.
import type pg from 'pg'
import { appendEvents } from '../../../events/append-postgres.ts'
import { saveSession } from '../../../instances/session-postgres.ts'
import { recordProgress } from '../../../messages/progress-postgres.ts'
import { saveReceived } from '../../../receiving/received-postgres.ts'
import { recordReports } from '../../../receiving/report-postgres.ts'
import { acceptSend } from '../../../sending/accept-postgres.ts'
import type { ClaimRequest } from '../../../sending/outbox.ts'
import {
  claimSends,
  DUE_INSTANCES,
  renewClaim,
  savePayload,
  settleSend,
} from '../../../sending/outbox-postgres.ts'
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
import { inBegunTransaction, inOneStatement, inTransaction } from './pool.ts'
import {
  ofOneTransaction,
  type PostgresOperation,
  prepared,
  type QueryClient,
  type WithEvents,
} from './statement.ts'

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

// Settling, receipts, renewals and claims share a transaction on PostgreSQL: they lock the same instances, and separate transactions would
// only wait for each other. Most of what a transaction costs is its round trips to the server and its fsync.

type LaneOperationName = 'settleSend' | 'recordProgress' | 'renewClaim' | 'claimSends'
type LaneCall = OperationCall<LaneOperationName>

async function runLaneOperations(
  client: QueryClient,
  calls: LaneCall[],
): Promise<OperationOutput<LaneOperationName>[]> {
  const settling = inputsOf(calls, 'settleSend')
  const progress = inputsOf(calls, 'recordProgress')
  const renewals = inputsOf(calls, 'renewClaim')
  const claims = inputsOf(calls, 'claimSends')
  const involved = [...settling, ...progress, ...renewals].map(({ instanceId }) => instanceId)
  const locked = await lockInstances(client, involved, claims[0])
  // Claims come last, so that they find the lanes that were released or renewed in this transaction.
  const done = {
    settleSend: await settleSend(client, settling),
    recordProgress: await recordProgress(client, progress),
    renewClaim: await renewClaim(client, renewals),
    claimSends: await claimSends(client, claims, locked),
  }
  await appendEvents(
    client,
    Object.values<WithEvents<unknown>>(done).flatMap(({ events }) => events),
  )
  const outputs = {
    settleSend: done.settleSend.outputs.values(),
    recordProgress: done.recordProgress.outputs.values(),
    renewClaim: done.renewClaim.outputs.values(),
    claimSends: done.claimSends.outputs.values(),
  }
  return calls.map(({ name }) => outputs[name].next().value as OperationOutput<LaneOperationName>)
}

const inputsOf = <K extends LaneOperationName>(calls: LaneCall[], name: K): OperationInput<K>[] =>
  calls.flatMap((call) => (call.name === name ? [call.input as OperationInput<K>] : []))

const LOCK_INSTANCES = prepared(
  'lock_instances',
  'select id from instances where id = any($1::bigint[]) order by id for no key update',
)
const LOCK_DUE_INSTANCES = prepared(
  'lock_due_instances',
  `select id from instances where id = any($4::bigint[]) or id in (${DUE_INSTANCES})
   order by id for no key update`,
)

/**
 * Instances are locked before lanes and messages, as when accepting, and all at once in the order of their ids, so that no two
 * transactions wait for each other. A claim locks the instances with due lanes as well: their count of locked lanes is then exact.
 */
async function lockInstances(
  client: QueryClient,
  involved: number[],
  claim: ClaimRequest | undefined,
): Promise<number[]> {
  const ids = [...new Set(involved)]
  const { rows } = await client.query<{ id: number }>(
    claim
      ? LOCK_DUE_INSTANCES([claim.now, claim.perInstance, claim.limit, ids, claim.nodeId ?? null])
      : LOCK_INSTANCES([ids]),
  )
  return rows.map(({ id }) => id)
}
