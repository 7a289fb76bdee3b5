// The hot operations: those that must be fast, ordered or fenced. Each engine writes them by hand, and calls that wait at the same
// time share one transaction. An operation has one name everywhere: here, in the calls to an engine, and in the engine's table.

import type { SessionWrite } from '../../instances/session-store.ts'
import type { MessageProgress } from '../../messages/progress-store.ts'
import type { ReceivedWrite } from '../../receiving/received-store.ts'
import type { NetworkReport } from '../../receiving/report-store.ts'
import type {
  AcceptAnswer,
  ClaimedSend,
  ClaimRenewal,
  ClaimRequest,
  SendToAccept,
  SentPayload,
  SettleRequest,
} from '../../sending/outbox.ts'
import type {
  ClaimedDeliveries,
  DeliveryClaimRequest,
  DeliverySettlement,
} from '../../webhooks/deliveries-store.ts'

export interface HotOperations {
  /** Message, event, quota, idempotency record and lane in one durable commit. */
  acceptSend(send: SendToAccept): Promise<AcceptAnswer>

  /** Locks lanes that are due, and takes the first messages of each. */
  claimSends(request: ClaimRequest): Promise<ClaimedSend[]>

  /** Extends the lock of a claimed lane. False: the fencing token is out of date, or the lane was released. */
  renewClaim(renewal: ClaimRenewal): Promise<boolean>

  /** Stores durably what goes over the wire. The first payload of a message is kept, a later one is ignored. */
  savePayload(payload: SentPayload): Promise<null>

  /** Records the outcome of a claimed message and releases its lane. False: the fencing token is out of date. */
  settleSend(request: SettleRequest): Promise<boolean>

  /** Records a receipt for a sent message. False: the receipt changed nothing. */
  recordProgress(progress: MessageProgress): Promise<boolean>

  /**
   * Records what the network reported, all or nothing: people, messages, chats and their events, and marks the arrivals as
   * processed. False for a report: its arrival was processed before, or the instance is deleted, and nothing of it was written.
   */
  recordReports(reports: readonly NetworkReport[]): Promise<boolean[]>

  /** Locks deliveries that are due, a fair share of every webhook. */
  claimDeliveries(request: DeliveryClaimRequest): Promise<ClaimedDeliveries[]>

  /**
   * Records attempts and what they mean for their deliveries and their webhook, and releases the lock where that is asked for.
   * False: the fencing token is out of date, and nothing was written.
   */
  settleDelivery(settlement: DeliverySettlement): Promise<boolean>

  /**
   * Saves session keys, together with the received messages that they decrypted. False: the fencing token is out of date, and
   * nothing was written.
   */
  saveSession(write: SessionWrite): Promise<boolean>

  /** As `saveSession`, and records what the received messages say, all or nothing. */
  saveReceived(write: ReceivedWrite): Promise<boolean>
}

export type OperationName = keyof HotOperations
export type OperationInput<K extends OperationName> = Parameters<HotOperations[K]>[0]
export type OperationOutput<K extends OperationName> = Awaited<ReturnType<HotOperations[K]>>

/** One call on its way to an engine. */
export type OperationCall<K extends OperationName = OperationName> = {
  [Name in K]: { name: Name; input: OperationInput<Name> }
}[K]
