// When a delivery is tried again: a plain list, and the receiver's own wish (decisions 8).

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** Pauses before each try; the first goes at once. After the last one fails the delivery is dead. */
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
/** Each pause is drawn from this far on both sides: what failed together does not come back together. */
export const JITTER = 0.2

const SHORTEST_WISH_MS = SECOND_MS
const LONGEST_WISH_MS = 24 * HOUR_MS
/** Early tries that a receiver may ask for without using up the schedule (decision 0026). */
const MAX_ASKED = 20

export interface Tried {
  /** Tries so far, with the one that has just failed. */
  tries: number
  /** Those of them that came early by the receiver's wish. */
  asked: number
}

export type NextTry = { pauseMs: number; asked: boolean } | 'never'

export function nextTry({ tries, asked }: Tried, wishMs: number | undefined, random: () => number): NextTry {
  const scheduledMs = SCHEDULE_MS[tries - asked]
  if (scheduledMs === undefined) return 'never'
  if (wishMs !== undefined && wishMs >= scheduledMs) return { pauseMs: wishMs, asked: false }
  if (wishMs !== undefined && asked < MAX_ASKED) return { pauseMs: wishMs, asked: true }
  return { pauseMs: Math.round(scheduledMs * (1 - JITTER + 2 * JITTER * random())), asked: false }
}

/** A `Retry-After` in seconds or as a date, within what we are willing to wait; undefined where it says nothing. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? ''
  const wish = /^\d+$/.test(text) ? Number(text) * SECOND_MS : httpDate(text) - now
  return Number.isNaN(wish) ? undefined : Math.min(LONGEST_WISH_MS, Math.max(SHORTEST_WISH_MS, wish))
}

/** Only the form that HTTP has for dates: the language's own parser takes almost anything for one. */
const httpDate = (text: string): number =>
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)
    ? Date.parse(text)
    : Number.NaN
