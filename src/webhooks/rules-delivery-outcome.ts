// What the answer of a webhook receiver means: delivered, retried later, given up, or no more deliveries wanted.
import { nextTry, parseRetryAfter, type Tried } from './rules-retry-schedule.ts'

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
