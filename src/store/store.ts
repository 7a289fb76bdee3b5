// The port of the store: what the rules above may ask of it. Two engines stand behind it and pass one conformance suite.
import type { AcceptOutcome, SendToAccept } from './accept.ts'
import type { CommitMeasure } from './batcher.ts'
import type { ClaimedWork, DeliveryClaimRequest, DeliverySettlement } from './deliveries.ts'
import type { EventSignal, NewEvent } from './event-log.ts'
import type { ClaimedSend, ClaimRequest, SentPayload, SettleRequest } from './lanes.ts'
import type { Progress } from './progress.ts'
import type { SearchDialect } from './queries/contacts.ts'
import type { SessionWrite } from './session-keys.ts'
import type { Db } from './tables.ts'

export interface Store {
  readonly engine: 'sqlite' | 'postgres'
  /** Ordinary queries, each its own transaction. Reads see everything committed so far. */
  readonly db: Db
  readonly search: SearchDialect

  /** All or nothing: whatever `work` writes is committed when the promise resolves, and never when it rejects. */
  transaction<T>(work: (tx: Db) => Promise<T>): Promise<T>

  /**
   * Numbers the events, writes them and makes their deliveries, as part of `tx`: best as its last word, because from here
   * to the commit the account's other events wait.
   */
  appendEvents(tx: Db, events: NewEvent[]): Promise<void>

  /** Runs the listener after each commit of this process that appended events. Returns what ends that. */
  readonly onEvents: EventSignal['subscribe']

  /** Message, event, quota, idempotency record and lane in one durable commit; many calls share one (group commit). */
  acceptSend(send: SendToAccept): Promise<AcceptOutcome>

  /** Lanes that are due and free, each with its first message. */
  claimSends(request: ClaimRequest): Promise<ClaimedSend[]>

  /** Keeps what goes over the wire, durably, many in one commit. The first word under an id counts. */
  keepPayload(payload: SentPayload): Promise<null>

  /**
   * Records what became of a claimed message and frees its lane; many calls share one commit. False: the lane has another
   * owner by now.
   */
  settleSend(request: SettleRequest): Promise<boolean>

  /** A receipt came for a message of ours; many calls share one commit. False: it was no news. */
  moveMessage(step: Progress): Promise<boolean>

  /** What is due to receivers and free, a fair share of every webhook. */
  claimDeliveries(request: DeliveryClaimRequest): Promise<ClaimedWork[]>

  /**
   * The attempt, what it means for delivery and webhook, and the hold where it is given back, in one durable commit; many
   * calls share one. False: the hold is another's by now, and nothing was written.
   */
  settleDelivery(settlement: DeliverySettlement): Promise<boolean>

  /**
   * Session keys, and the received message that used them up, in one durable commit; many sessions share one. False: the
   * instance has another owner by now, and nothing was written.
   */
  saveSession(write: SessionWrite): Promise<boolean>

  /** Resolves when the store can read and write. */
  check(): Promise<void>

  close(): Promise<void>
}

export interface StoreHooks {
  onCommit?: ((measure: CommitMeasure) => void) | undefined
  /** The engine is gone and does not come back by itself. */
  onFatal?: ((error: Error) => void) | undefined
}
