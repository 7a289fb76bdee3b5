// What is counted per hour for the statistics (decision 0171): which occurrences there are, and which rows they add to.
import { isCalledOff } from '../contract/message-values.ts'
import type { FailureReason } from '../contract/sending.ts'
import type { NewEvent } from '../events/rules-payloads.ts'
import type { SendOutcome } from '../sending/rules-settle-send.ts'

export const HOUR_MS = 60 * 60 * 1000

export const COUNTED_METRICS = [
  'sent',
  'received',
  /** By reason. */
  'failed',
  'canceled',
  /** Attempts by outcome. */
  'delivery',
  /** Delivered events, by the time since the event: the bound of `DELIVERY_BOUNDS_MS`. */
  'delivery_time',
  /** Attempts that failed, by the status of the answer. */
  'delivery_failed',
  /** Attempts by webhook and outcome. */
  'webhook',
  /** By webhook: the sum of the times in which its receiver answered. */
  'webhook_ms',
  /** Sessions that closed, by reason. */
  'closed',
  /** By state: instances in each sample. */
  'sessions',
  'samples',
] as const
export type CountedMetric = (typeof COUNTED_METRICS)[number]

/** Something that happened to an instance, once or `count` times. */
export interface Occurrence {
  instanceId: number
  at: number
  metric: CountedMetric
  label?: string
  count?: number
}

export const hourOf = (at: number): number => at - (at % HOUR_MS)

/** Upper bounds of the times between an event and its delivery. */
export const DELIVERY_BOUNDS_MS = [
  25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000, 60_000, 300_000, 1_800_000, 7_200_000,
] as const

/** The label of times beyond the last bound. */
const BEYOND = 'beyond'

export const boundLabel = (durationMs: number): string =>
  String(DELIVERY_BOUNDS_MS.find((bound) => durationMs <= bound) ?? BEYOND)

const failure = (instanceId: number, at: number, reason: FailureReason): Occurrence =>
  isCalledOff(reason)
    ? { instanceId, at, metric: 'canceled' }
    : { instanceId, at, metric: 'failed', label: reason }

export function settledOccurrence(
  instanceId: number,
  at: number,
  outcome: SendOutcome,
): Occurrence | undefined {
  if (outcome.kind === 'failed') return failure(instanceId, at, outcome.reason)
  return outcome.kind === 'sent' ? { instanceId, at, metric: 'sent' } : undefined
}

/** What a report of the network counts as. History is silent, and messages from the other devices of the owner are not received. */
export function receivedOccurrence(report: {
  instanceId: number
  now: number
  isSilent: boolean
  messages: readonly { row: { direction: string } }[]
}): Occurrence | undefined {
  const { instanceId, now: at, isSilent, messages } = report
  const count = isSilent ? 0 : messages.filter(({ row }) => row.direction === 'incoming').length
  return count === 0 ? undefined : { instanceId, at, metric: 'received', count }
}

/** What events say that are not written by settling a send: messages that failed without an attempt, and sessions that closed. */
export function eventOccurrence({
  instanceId,
  name,
  data,
  createdAt: at,
}: Pick<NewEvent, 'instanceId' | 'name' | 'data' | 'createdAt'>): Occurrence | undefined {
  if (name === 'messages.update') {
    const { status, failure: why } = JSON.parse(data)
    return status === 'failed' ? failure(instanceId, at, why.reason) : undefined
  }
  if (name !== 'connection.update') return undefined
  const { state, stateReason } = JSON.parse(data)
  return state === 'close' ? { instanceId, at, metric: 'closed', label: stateReason ?? 'none' } : undefined
}

/** One attempt to deliver an event. */
export interface CountedAttempt {
  webhookId: number
  instanceId: number
  /** When the event was appended. */
  eventAt: number
  at: number
  durationMs: number
  /** Null: there was no answer. */
  status: number | null
  outcome: 'delivered' | 'retry' | 'dead'
  /** False: the webhook does not take the event, and it counts as delivered without a request. */
  isPosted: boolean
}

export function attemptOccurrences(attempt: CountedAttempt): Occurrence[] {
  const { webhookId, instanceId, eventAt, at, durationMs, status, outcome } = attempt
  if (!attempt.isPosted) return []
  const one = { instanceId, at }
  return [
    { ...one, metric: 'delivery', label: outcome },
    { ...one, metric: 'webhook', label: `${webhookId} ${outcome}` },
    { ...one, metric: 'webhook_ms', label: String(webhookId), count: Math.round(durationMs) },
    outcome === 'delivered'
      ? { ...one, metric: 'delivery_time', label: boundLabel(at - eventAt) }
      : { ...one, metric: 'delivery_failed', label: status === null ? 'none' : String(status) },
  ]
}

/** A row of counts. Account 0 is the whole gateway, instance 0 all instances of the account. */
export interface CountRow {
  account_id: number
  instance_id: number
  hour: number
  metric: CountedMetric
  label: string
  count: number
}

/** The sum of occurrences of one instance, hour, metric and label. */
export type CountDelta = Omit<CountRow, 'account_id'>

/** Counted for accounts only: the gateway would have a row for each webhook of all accounts. */
const OF_ACCOUNTS: ReadonlySet<CountedMetric> = new Set(['webhook', 'webhook_ms'])

/** What nodes share comes last, so that it is locked for the shortest time. */
const byKey = (one: CountRow, other: CountRow): number =>
  other.account_id - one.account_id ||
  other.instance_id - one.instance_id ||
  one.hour - other.hour ||
  compareTexts(one.metric, other.metric) ||
  compareTexts(one.label, other.label)
const compareTexts = (one: string, other: string): number => (one < other ? -1 : Number(one > other))

/**
 * The rows that deltas add to: of the instance, its account and the gateway, always in the same order, so that two nodes never wait for
 * each other. What belongs to an instance without an account, which was deleted meanwhile, is left out.
 */
export function rowsToAdd(deltas: readonly CountDelta[], accountOf: ReadonlyMap<number, number>): CountRow[] {
  const rows = new Map<string, CountRow>()
  const add = (row: CountRow) => {
    const key = [row.account_id, row.instance_id, row.hour, row.metric, row.label].join(' ')
    const known = rows.get(key)
    if (known) known.count += row.count
    else rows.set(key, row)
  }
  for (const delta of deltas) {
    const account = accountOf.get(delta.instance_id)
    if (account === undefined) continue
    add({ ...delta, account_id: account })
    add({ ...delta, account_id: account, instance_id: 0 })
    if (!OF_ACCOUNTS.has(delta.metric)) add({ ...delta, account_id: 0, instance_id: 0 })
  }
  return [...rows.values()].sort(byKey)
}
