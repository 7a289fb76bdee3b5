// One try of one delivery: signed, posted through the guarded client, and judged by what came back.
import type { EventAttempt, PostEvent } from '../domain/deps.ts'
import type { Outbound } from '../outbound/client.ts'
import type { PostAnswer, PostOutcome } from '../outbound/post.ts'
import { answerText } from './answer-text.ts'
import { retryAfterMs } from './retry-schedule.ts'
import { deliveryHeaders } from './sign.ts'

const GONE = 410

export const createPostEvent =
  (post: Outbound['post'], clock: () => number): PostEvent =>
  async ({ url, webhookId, secrets, id, event, body, signal }) => {
    const at = clock()
    const timestamp = Math.floor(at / 1000)
    const headers = deliveryHeaders({ id, event, webhookId, timestamp, body }, secrets)
    const outcome = await post({ url, headers, body, ...(signal ? { signal } : {}) })
    return { at, headers, ...judge(outcome, clock()) }
  }

/** Only an answer of 2xx that ends within bounds says that the event has arrived. */
function judge(outcome: PostOutcome, now: number): Omit<EventAttempt, 'at' | 'headers'> {
  const { durationMs } = outcome
  if ('error' in outcome) {
    const isStopped = outcome.error === 'stopped'
    return {
      durationMs,
      status: null,
      answer: null,
      error: outcome.message,
      isStopped,
      isGone: false,
      wishMs: undefined,
    }
  }
  const error = errorOf(outcome)
  return {
    durationMs,
    status: outcome.status,
    answer: answerText(outcome.bodyStart),
    error,
    isStopped: false,
    isGone: outcome.status === GONE,
    wishMs: error === null ? undefined : retryAfterMs(outcome.headers['retry-after'], now),
  }
}

function errorOf({ status, truncated }: PostAnswer): string | null {
  if (status >= 300 && status < 400)
    return `The receiver answered with a redirect (${status}), which is never followed.`
  if (status < 200 || status >= 300) return `The receiver answered with status ${status}.`
  return truncated ? 'The answer is longer than 64 KiB.' : null
}
