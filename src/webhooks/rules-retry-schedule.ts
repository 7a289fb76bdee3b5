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

export interface Tried {
  /** Attempts so far, including the one that has just failed. */
  tries: number
  /** Those of them that came earlier than the schedule, because the receiver asked for it. */
  earlyRetries: number
}

/** `isEarly`: the retry comes before its scheduled time and does not use up the schedule. */
export type NextTry = { pauseMs: number; isEarly: boolean } | 'never'

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
