// Claiming and settling deliveries. A first attempt is claimed with the lane of its webhook and instance, in the order of the
// events. A failed delivery leaves its lane and is retried alone, so that it does not block those behind it. Both kinds are locked
// for a time and carry a fencing token, which every claim increments: a worker with an older token writes nothing.

import { type Flag, flag } from '../store/tables.ts'
import type { AttemptVerdict, DeliveryLimits, DeliveryOutcome, WebhookHealth } from './rules.ts'

export interface DeliveryClaimRequest extends DeliveryLimits {
  /** The node that holds the locks; undefined: there is only one process. */
  nodeId?: number | undefined
  now: number
  /** Lanes and retries are locked for this long, unless they are released earlier. */
  lockMs: number
  /** First attempts of one lane at most. They are posted one after the other under one lock. */
  runLength: number
}

/** What a claim locks: a lane of first attempts, or a single retry. */
export type DeliveryLock = { webhookId: number; fence: number } & (
  | { kind: 'lane'; instanceId: number }
  | { kind: 'retry'; deliveryId: number }
)

export interface ClaimedWebhook {
  id: number
  accountId: number
  url: string
  sealedSecret: Uint8Array
  previousSealedSecret: Uint8Array | null
  previousUntil: number | null
  /** The form in which it gets events, and the sealed options of that form. */
  format: string
  sealedOptions: Uint8Array | null
  /** First attempts of several lanes share a request. */
  isBatched: boolean
}

/** A delivery with its event and the names of its instance, as both engines read it. */
export interface DueRow {
  id: number
  webhook_id: number
  instance_id: number
  tries: number
  early_retries: number
  account_id: number
  position: number
  sequence: number
  name: string
  data: string
  created_at: number
  display_name: string
  api_name: string
  /** Of the connected account. */
  own_number: string | null
  /** The name of the instance in the Evolution dialect; null: it has none. */
  evolution_name: string | null
  /** Of the message that the event is about; null: there is none. */
  direction: string | null
}

/** Deliveries to post one after the other, under one lock. */
export interface ClaimedDeliveries {
  webhook: ClaimedWebhook
  lock: DeliveryLock
  deliveries: DueRow[]
}

export interface Attempt {
  at: number
  durationMs: number
  statusCode: number | null
  /** As sent, in JSON. */
  headers: string
  answer: string | null
  error: string | null
}

export interface DeliveryResult {
  deliveryId: number
  attempt: Attempt
  outcome: DeliveryOutcome
  /** The receiver asked for no further events. */
  isGone: boolean
  /** A broker has confirmed it, without a status. */
  isConfirmed?: boolean | undefined
}

export interface DeliverySettlement {
  lock: DeliveryLock
  now: number
  /** In the order of the attempts; empty if there was none. */
  results: readonly DeliveryResult[]
  /** The lane or the retry is unlocked. */
  release: boolean
  /** No delivery waits for this one: it may join a later commit. A crash before that repeats the deliveries, under the same ids. */
  mayWait?: boolean | undefined
}

/** The columns of `DueRow`, from the tables below. */
export const DUE_COLUMNS = `deliveries.id, deliveries.webhook_id, deliveries.instance_id, tries, asked as early_retries,
  events.account_id, events.position, events.sequence, events.name, events.data, events.created_at,
  instances.display_name, instances.api_name, instances.number as own_number, events.direction,
  (select evolution_instances.name from evolution_instances where evolution_instances.instance_id = instances.id)
    as evolution_name`
export const DUE_TABLES = `deliveries
  join events on events.account_id = deliveries.account_id and events.position = deliveries.position
  join instances on instances.id = deliveries.instance_id`

/** Webhooks with retries, found by an index skip scan: the cost depends on the number of webhooks, not on that of retries. */
export const RETRYING_HOOKS = `retrying_hooks (id) as (
    select min(webhook_id) from deliveries where status = 'retrying'
    union all
    select (select min(webhook_id) from deliveries where status = 'retrying' and webhook_id > retrying_hooks.id)
    from retrying_hooks where retrying_hooks.id is not null
  )`

/** The columns of a webhook that a claim returns. */
export interface WebhookColumns {
  id: number
  account_id: number
  url: string
  sealed_secret: Uint8Array
  previous_sealed_secret: Uint8Array | null
  previous_until: number | null
  format: string
  sealed_options: Uint8Array | null
  batch: Flag
}

export const WEBHOOK_COLUMNS =
  'webhooks.id, webhooks.account_id, url, sealed_secret, previous_sealed_secret, previous_until, format, sealed_options, batch'

export const toClaimedWebhook = (row: WebhookColumns): ClaimedWebhook => ({
  id: row.id,
  accountId: row.account_id,
  url: row.url,
  sealedSecret: row.sealed_secret,
  previousSealedSecret: row.previous_sealed_secret,
  previousUntil: row.previous_until,
  format: row.format,
  sealedOptions: row.sealed_options,
  isBatched: row.batch === 1,
})

/** The columns of a webhook that an attempt may change. */
export interface HealthColumns {
  enabled: Flag
  failing_since: number | null
  disabled_reason: string | null
  disabled_at: number | null
}

export const toHealth = (row: HealthColumns): WebhookHealth => ({
  enabled: row.enabled === 1,
  failingSince: row.failing_since,
  disabledReason: row.disabled_reason,
  disabledAt: row.disabled_at,
})

/** A delivery without a status or a confirmation that counts as delivered was not posted. */
export const verdictOf = ({ outcome, isGone, isConfirmed, attempt }: DeliveryResult): AttemptVerdict => {
  const isDelivered = outcome.kind === 'delivered'
  const isPosted = !isDelivered || attempt.statusCode !== null || isConfirmed === true
  return { isDelivered, isGone, isPosted }
}

/** In the order of `HealthColumns`. */
export const healthValues = (health: WebhookHealth): (number | string | null)[] => [
  flag(health.enabled),
  health.failingSince,
  health.disabledReason,
  health.disabledAt,
]
