// Deliveries as they are claimed and settled: what is locked, what a try came to, and what that means for the webhook.
import type { Flag } from './tables.ts'

/** A webhook whose tries have done nothing but fail for this long is disabled (decisions 8). */
export const FAILING_LIMIT_MS = 120 * 60 * 60 * 1000

export type DeliveryStatus = 'pending' | 'delivered' | 'retrying' | 'dead'
export type DisabledReason = 'gone' | 'failing'

export interface DeliveryClaimRequest {
  now: number
  /** How long a hold stays ours unless it is given back. */
  lockMs: number
  /** Holds at most. */
  limit: number
  /** At most this many holds of one webhook at a time, over all who claim. */
  perWebhook: number
  /** First tries of a lane that one hold brings along. */
  runLength: number
}

/** What is locked: a lane, for first tries in order, or a single retry. */
export type Hold = { webhookId: number; fence: number } & (
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
}

/** A delivery with its event, as both engines read it. */
export interface DueRow {
  id: number
  webhook_id: number
  instance_id: number
  tries: number
  asked: number
  account_id: number
  position: number
  sequence: number
  name: string
  data: string
  created_at: number
  display_name: string
  api_name: string
}

/** Work for one who posts: one after the other, under one hold. */
export interface ClaimedWork {
  webhook: ClaimedWebhook
  hold: Hold
  deliveries: DueRow[]
}

/** Of a delivery with its event and the names of its instance. */
export const DUE_COLUMNS = `deliveries.id, deliveries.webhook_id, deliveries.instance_id, tries, asked,
  events.account_id, events.position, events.sequence, events.name, events.data, events.created_at,
  instances.display_name, instances.api_name`
export const DUE_TABLES = `deliveries
  join events on events.account_id = deliveries.account_id and events.position = deliveries.position
  join instances on instances.id = deliveries.instance_id`

/** Webhooks with retries, found by leaping from one to the next: a long queue of one costs no more than a short one. */
export const RETRYING_HOOKS = `retrying_hooks (id) as (
    select min(webhook_id) from deliveries where status = 'retrying'
    union all
    select (select min(webhook_id) from deliveries where status = 'retrying' and webhook_id > retrying_hooks.id)
    from retrying_hooks where retrying_hooks.id is not null
  )`

export interface WebhookRow {
  id: number
  account_id: number
  url: string
  sealed_secret: Uint8Array
  previous_sealed_secret: Uint8Array | null
  previous_until: number | null
}

export const toClaimedWebhook = (row: WebhookRow): ClaimedWebhook => ({
  id: row.id,
  accountId: row.account_id,
  url: row.url,
  sealedSecret: row.sealed_secret,
  previousSealedSecret: row.previous_sealed_secret,
  previousUntil: row.previous_until,
})

export type Choice = { dueAt: number } & (
  | { kind: 'lane'; webhookId: number; instanceId: number }
  | { kind: 'retry'; webhookId: number; deliveryId: number }
)

/** What is due and free of one webhook, longest due first, and how much of each kind it holds already. */
export interface Candidates {
  lanes: Choice[]
  retries: Choice[]
  heldLanes: number
  heldRetries: number
}

/** Lanes and retries by turns, whichever kind has less in flight: neither keeps the other waiting. */
function chooseOf({ lanes, retries, heldLanes, heldRetries }: Candidates, perWebhook: number): Choice[] {
  const waiting = { lanes: [...lanes], retries: [...retries] }
  const held = { lanes: heldLanes, retries: heldRetries }
  const chosen: Choice[] = []
  while (held.lanes + held.retries < perWebhook) {
    const fewer = held.lanes <= held.retries ? 'lanes' : 'retries'
    const kind = waiting[fewer].length > 0 ? fewer : fewer === 'lanes' ? 'retries' : 'lanes'
    const next = waiting[kind].shift()
    if (!next) break
    held[kind] += 1
    chosen.push(next)
  }
  return chosen
}

/** Round by round, one of each webhook: none takes a second while another waits for its first. */
export function chooseWork(
  candidates: Candidates[],
  { perWebhook, limit }: Pick<DeliveryClaimRequest, 'perWebhook' | 'limit'>,
): Choice[] {
  const queues = candidates.map((each) => chooseOf(each, perWebhook))
  const rounds = Array.from({ length: perWebhook }, (_, round) =>
    queues.flatMap((queue) => queue.slice(round, round + 1)).sort((a, b) => a.dueAt - b.dueAt),
  )
  return rounds.flat().slice(0, limit)
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
  outcome:
    | { kind: 'delivered' }
    /** `asked`: sooner than the schedule has it, because the receiver said so. */
    | { kind: 'retry'; at: number; asked: boolean }
    | { kind: 'dead' }
  /** The receiver wants nothing more, ever. */
  isGone: boolean
}

export interface DeliverySettlement {
  hold: Hold
  now: number
  /** Null: nothing was tried. */
  result: DeliveryResult | null
  /** The hold is given back. */
  release: boolean
}

/** What a result writes into the row of its delivery. */
export function settledDelivery({ outcome }: DeliveryResult, now: number) {
  const status: DeliveryStatus = outcome.kind === 'retry' ? 'retrying' : outcome.kind
  return {
    status,
    dueAt: outcome.kind === 'retry' ? outcome.at : null,
    asked: outcome.kind === 'retry' && outcome.asked ? 1 : 0,
    deliveredAt: outcome.kind === 'delivered' ? now : null,
  }
}

export interface Health {
  enabled: Flag
  failing_since: number | null
  disabled_reason: string | null
  disabled_at: number | null
}

/** A success ends the series of failures; a series that is too long, or the receiver's own word, ends the webhook. */
export function healthAfter(health: Health, { outcome, isGone }: DeliveryResult, now: number): Health {
  if (outcome.kind === 'delivered') return { ...health, failing_since: null }
  const failingSince = health.failing_since ?? now
  const isOver = now - failingSince >= FAILING_LIMIT_MS
  if (health.enabled === 0 || !(isGone || isOver)) return { ...health, failing_since: failingSince }
  const reason: DisabledReason = isGone ? 'gone' : 'failing'
  return { enabled: 0, failing_since: failingSince, disabled_reason: reason, disabled_at: now }
}

export const sameHealth = (a: Health, b: Health): boolean =>
  a.enabled === b.enabled && a.failing_since === b.failing_since
