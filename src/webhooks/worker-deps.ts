// What the parts of the webhook worker need.
import type { Logger } from 'pino'
import type { PostEvent } from '../context.ts'
import type { Timers } from '../kernel/async/timers.ts'
import type { CountedAttempt } from '../statistics/rules-counted.ts'
import type { Store } from '../store/store.ts'
import type { Vault } from '../store/vault.ts'
import type { Tracer } from '../tracer.ts'
import type { ClaimedDeliveries } from './deliveries-store.ts'
import type { DeliveryBridges, DeliveryFormats } from './delivery-format.ts'

/** First attempts made under one claim. */
export const RUN_LENGTH = 16
/** Longer than a run and the longest exchange together, so that a lock does not expire during the work. */
export const DELIVERY_LOCK_MS = 60_000
/** An older claim is not used: the process was suspended, and another one may have posted the deliveries since. */
export const MAX_CLAIM_AGE_MS = DELIVERY_LOCK_MS / 2

export interface WebhookWorkerDeps {
  store: Store
  vault: Vault
  clock: () => number
  random?: () => number
  timers?: Timers
  logger: Logger
  /** This node, if several may use the database. */
  nodeId?: number | undefined
  postEvent: PostEvent
  /** Forms of deliveries beside that of this API; absent: none. */
  formats?: DeliveryFormats
  /** Formats that are calls of their own in place of a post; absent: none. */
  bridges?: DeliveryBridges
  observe(attempt: CountedAttempt): void
  /** Absent while tracing is off. */
  trace?: Tracer | undefined
}

export interface Stopping {
  /** No further attempt is started. */
  isStopping: boolean
  /** Aborts the exchanges under way. */
  graceOver: AbortController
}

export interface Claim extends ClaimedDeliveries {
  claimedAt: number
  /** No event came since, so that no delivery can wait for this claim to end. */
  mayWait(): boolean
}
