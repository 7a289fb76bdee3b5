// The rules of deliveries: which are claimed, what an answer means, when the next try is, and when a webhook is disabled.

import type { DeliveryStatus } from '../contract/deliveries.ts'
import type { DISABLED_REASONS } from '../contract/webhooks.ts'

// What the answer of a webhook receiver means: delivered, retried later, given up, or no more deliveries wanted.

/** What came back from the receiver: an answer, or the reason why there is none. */
export type Exchange =
  | { status: number; isTruncated: boolean; retryAfter: string | undefined }
  | { failure: string; isStopped: boolean }

export interface Verdict {
  /** Why the event does not count as delivered; null: it does. */
  error: string | null
  /** The gateway ended the exchange because it is stopping. The attempt does not count. */
  isStopped: boolean
  /** The receiver answered 410 Gone: the webhook is disabled. */
  isGone: boolean
  /** The pause that the receiver asked for. */
  retryAfterMs: number | undefined
}

const GONE = 410

/** Only a complete answer with a 2xx status counts as delivered. */
export function judgeExchange(exchange: Exchange, now: number): Verdict {
  if ('failure' in exchange) {
    const { failure, isStopped } = exchange
    return { error: failure, isStopped, isGone: false, retryAfterMs: undefined }
  }
  const error = errorOf(exchange.status, exchange.isTruncated)
  return {
    error,
    isStopped: false,
    isGone: exchange.status === GONE,
    retryAfterMs: error === null ? undefined : parseRetryAfter(exchange.retryAfter, now),
  }
}

function errorOf(status: number, isTruncated: boolean): string | null {
  if (status >= 300 && status < 400)
    return `The receiver answered with a redirect (${status}), which is never followed.`
  if (status < 200 || status >= 300) return `The receiver answered with status ${status}.`
  return isTruncated ? 'The answer is longer than 64 KiB.' : null
}

export type DeliveryOutcome =
  | { kind: 'delivered' }
  /** `isEarly`: before its scheduled time, because the receiver asked for it. */
  | { kind: 'retry'; at: number; isEarly: boolean }
  /** The schedule is used up. */
  | { kind: 'dead' }

/** `tried` counts the attempt that was just made. */
export function deliveryOutcome(
  { error, retryAfterMs }: Pick<Verdict, 'error' | 'retryAfterMs'>,
  tried: Tried,
  now: number,
  random: () => number,
): DeliveryOutcome {
  if (error === null) return { kind: 'delivered' }
  const next = nextTry(tried, retryAfterMs, random)
  return next === 'never'
    ? { kind: 'dead' }
    : { kind: 'retry', at: now + next.pauseMs, isEarly: next.isEarly }
}

// When a failed delivery is retried: a fixed schedule, which a Retry-After of the receiver can change.

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** The pause before each attempt; the first is made at once. When the last attempt fails, the delivery is dead. */
export const SCHEDULE_MS: readonly number[] = [
  0,
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
]
/** Each pause varies by up to this fraction, so that deliveries that failed together are not retried together. */
export const JITTER = 0.2

const SHORTEST_RETRY_AFTER_MS = SECOND_MS
const LONGEST_RETRY_AFTER_MS = 24 * HOUR_MS
/** Early retries that a receiver may ask for without using up the schedule (decision 0026). */
const MAX_EARLY_RETRIES = 20

interface Tried {
  /** Attempts so far, including the one that has just failed. */
  tries: number
  /** Those of them that came earlier than the schedule, because the receiver asked for it. */
  earlyRetries: number
}

/** `isEarly`: the retry comes before its scheduled time and does not use up the schedule. */
type NextTry = { pauseMs: number; isEarly: boolean } | 'never'

export function nextTry(
  { tries, earlyRetries }: Tried,
  retryAfterMs: number | undefined,
  random: () => number,
): NextTry {
  const scheduledMs = SCHEDULE_MS[tries - earlyRetries]
  if (scheduledMs === undefined) return 'never'
  if (retryAfterMs !== undefined && retryAfterMs >= scheduledMs)
    return { pauseMs: retryAfterMs, isEarly: false }
  if (retryAfterMs !== undefined && earlyRetries < MAX_EARLY_RETRIES)
    return { pauseMs: retryAfterMs, isEarly: true }
  return { pauseMs: Math.round(scheduledMs * (1 - JITTER + 2 * JITTER * random())), isEarly: false }
}

/** A `Retry-After` in seconds or as a date, limited to between a second and a day; undefined if it is missing or invalid. */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? ''
  const ms = /^\d+$/.test(text) ? Number(text) * SECOND_MS : parseHttpDate(text) - now
  return Number.isNaN(ms)
    ? undefined
    : Math.min(LONGEST_RETRY_AFTER_MS, Math.max(SHORTEST_RETRY_AFTER_MS, ms))
}

/** Accepts only the HTTP date format: `Date.parse` alone accepts almost any text. */
const parseHttpDate = (text: string): number =>
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)
    ? Date.parse(text)
    : Number.NaN

// The rule for claiming deliveries: every webhook gets a fair share, and first attempts and retries share its slots evenly.

/** A lane (first attempts of a webhook and instance, in order) or a single retry that is due and not locked. */
export type DueDelivery = { webhookId: number; dueAt: number } & (
  | { kind: 'lane'; instanceId: number }
  | { kind: 'retry'; deliveryId: number }
)

/** One webhook: what is due and not locked, longest due first, and how much of each kind is locked now. */
export interface WebhookCandidates extends WebhookLocks {
  lanes: DueDelivery[]
  retries: DueDelivery[]
}

interface WebhookLocks {
  /** Its lanes share requests, so that they take no slots from each other. */
  isBatched: boolean
  lockedLanes: number
  lockedRetries: number
}

export interface DeliveryLimits {
  /** Lanes and retries of one claim. */
  limit: number
  /** Lanes and retries of one webhook that may be locked at the same time; of a batched one only the retries. */
  perWebhook: number
}

/** Lanes of a batched webhook that may be locked at the same time. */
const BATCH_LANES = 32

/** The most lanes and retries of a webhook, and the most of both together. */
export const slotsOf = (isBatched: boolean, perWebhook: number) =>
  isBatched
    ? { lanes: BATCH_LANES, retries: perWebhook, total: BATCH_LANES + perWebhook }
    : { lanes: perWebhook, retries: perWebhook, total: perWebhook }

export const freeSlots = (
  { isBatched, lockedLanes, lockedRetries }: WebhookLocks,
  perWebhook: number,
): number => slotsOf(isBatched, perWebhook).total - lockedLanes - lockedRetries

/** Round by round, one of each webhook: none gets a second slot before every other one got its first. */
export function chooseDeliveries(
  candidates: WebhookCandidates[],
  { limit, perWebhook }: DeliveryLimits,
): DueDelivery[] {
  const queues = candidates.map((webhook) => alternate(webhook, perWebhook))
  const longest = Math.max(0, ...queues.map(({ length }) => length))
  const rounds = Array.from({ length: longest }, (_, round) =>
    queues.flatMap((queue) => queue.slice(round, round + 1)).sort((a, b) => a.dueAt - b.dueAt),
  )
  return rounds.flat().slice(0, limit)
}

/** The next slot goes to the kind that has fewer locked, so that neither kind blocks the other. */
function alternate(
  { isBatched, lanes, retries, lockedLanes, lockedRetries }: WebhookCandidates,
  perWebhook: number,
): DueDelivery[] {
  const slots = slotsOf(isBatched, perWebhook)
  const waiting = {
    lanes: lanes.slice(0, Math.max(0, slots.lanes - lockedLanes)),
    retries: retries.slice(0, Math.max(0, slots.retries - lockedRetries)),
  }
  const locked = { lanes: lockedLanes, retries: lockedRetries }
  const chosen: DueDelivery[] = []
  while (locked.lanes + locked.retries < slots.total) {
    const fewer = locked.lanes <= locked.retries ? 'lanes' : 'retries'
    const kind = waiting[fewer].length > 0 ? fewer : fewer === 'lanes' ? 'retries' : 'lanes'
    const next = waiting[kind].shift()
    if (!next) break
    locked[kind] += 1
    chosen.push(next)
  }
  return chosen
}

// The rule that disables a webhook: its receiver answers 410 Gone, or every attempt of 120 hours has failed (decisions 8).

/** A webhook is disabled when its attempts have failed without a single success for this long. */
export const FAILING_LIMIT_MS = 120 * 60 * 60 * 1000

type DisabledReason = (typeof DISABLED_REASONS)[number]

export interface WebhookHealth {
  enabled: boolean
  /** The first failure since the last success; null: the last attempt succeeded. */
  failingSince: number | null
  disabledReason: string | null
  disabledAt: number | null
}

export interface AttemptVerdict {
  isDelivered: boolean
  /** The receiver asked for no further events. */
  isGone: boolean
  /** False: nothing was posted, because the format of the webhook has no such event. Says nothing about the receiver. */
  isPosted: boolean
}

/** The health after one more attempt. The same object is returned when nothing changes. */
export function healthAfter(
  health: WebhookHealth,
  { isDelivered, isGone, isPosted }: AttemptVerdict,
  now: number,
): WebhookHealth {
  if (!isPosted) return health
  if (isDelivered) return health.failingSince === null ? health : { ...health, failingSince: null }
  const failingSince = health.failingSince ?? now
  const isFailingTooLong = now - failingSince >= FAILING_LIMIT_MS
  if (health.enabled && (isGone || isFailingTooLong)) {
    const disabledReason: DisabledReason = isGone ? 'gone' : 'failing'
    return { enabled: false, failingSince, disabledReason, disabledAt: now }
  }
  return health.failingSince === null ? { ...health, failingSince } : health
}

// Secrets that are stored with a URL go to the origin that they were given for, and to no other one (decision 0191). Pure.

/** What answers show in place of a secret. In a request it stands for the stored one. */
export const MASK = '***'

/** For the field that a request has to contain. */
export const GIVE_AGAIN = 'must be given again, because the URL has another origin'

/**
 * Whether scheme, host and port are the same. `URL.origin` is "null" for all schemes of brokers, and hosts of these schemes keep
 * their upper case. A default port that is written in one URL only makes another origin: the secret has to be given again then.
 */
export function isSameOrigin(one: string, other: string): boolean {
  const [before, after] = [originOf(one), originOf(other)]
  return before !== undefined && before === after
}

function originOf(text: string): string | undefined {
  const url = URL.parse(text)
  return url && url.host !== '' ? `${url.protocol}//${url.host.toLowerCase()}` : undefined
}

// The rule for settling a delivery: what the outcome of an attempt makes of its row.

interface SettledDelivery {
  status: DeliveryStatus
  dueAt: number | null
  /** Added to the count of early retries, which the schedule limits. */
  earlyRetries: 0 | 1
  deliveredAt: number | null
}

export function settledDelivery(outcome: DeliveryOutcome, now: number): SettledDelivery {
  const isRetry = outcome.kind === 'retry'
  return {
    status: isRetry ? 'retrying' : outcome.kind,
    dueAt: isRetry ? outcome.at : null,
    earlyRetries: isRetry && outcome.isEarly ? 1 : 0,
    deliveredAt: outcome.kind === 'delivered' ? now : null,
  }
}
