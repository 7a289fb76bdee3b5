// Settling, receipts, renewals and claims share a transaction on PostgreSQL: they lock the same instances, and separate transactions would
// only wait for each other. Most of what a transaction costs is its round trips to the server and its fsync.

import { appendEvents } from '../../../events/append-postgres.ts'
import { recordProgress } from '../../../messages/progress-postgres.ts'
import type { ClaimRequest } from '../../../sending/outbox.ts'
import { claimSends, DUE_INSTANCES, renewClaim, settleSend } from '../../../sending/outbox-postgres.ts'
import type { OperationCall, OperationInput, OperationOutput } from '../../operations/hot-operations.ts'
import { prepared, type QueryClient, type WithEvents } from './statement.ts'

export type LaneOperationName = 'settleSend' | 'recordProgress' | 'renewClaim' | 'claimSends'
type LaneCall = OperationCall<LaneOperationName>

export async function runLaneOperations(
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
