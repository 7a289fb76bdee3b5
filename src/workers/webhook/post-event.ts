// One attempt of a delivery: sign the event, post it through the guarded client, and report the answer.
import type { EventAttempt, PostEvent } from '../../domain/deps.ts'
import type { Outbound } from '../../outbound/client.ts'
import type { PostOutcome } from '../../outbound/post.ts'
import { type Exchange, judgeExchange } from '../../rules/delivery-outcome.ts'
import { answerText } from './answer-text.ts'
import { deliveryHeaders } from './sign.ts'

export const createPostEvent =
  (
    post: Outbound['post'],
    clock: () => number,
    /** The best estimate of the true time: receivers compare the time of the signature with theirs. */
    forSignatures = clock,
  ): PostEvent =>
  async ({ url, webhookId, secrets, id, event, body, signal, traceparent }) => {
    const at = clock()
    const timestamp = Math.floor(forSignatures() / 1000)
    const headers = deliveryHeaders({ id, event, webhookId, timestamp, body }, secrets)
    if (traceparent !== undefined) headers.traceparent = traceparent
    const outcome = await post({ url, headers, body, ...(signal ? { signal } : {}) })
    return { at, headers, ...answerOf(outcome), ...judgeExchange(exchangeOf(outcome), clock()) }
  }

const answerOf = (outcome: PostOutcome): Pick<EventAttempt, 'durationMs' | 'status' | 'answer'> =>
  'error' in outcome
    ? { durationMs: outcome.durationMs, status: null, answer: null }
    : {
        durationMs: outcome.durationMs,
        status: outcome.status,
        answer: answerText(outcome.bodyStart),
      }

const exchangeOf = (outcome: PostOutcome): Exchange =>
  'error' in outcome
    ? { failure: outcome.message, isStopped: outcome.error === 'stopped' }
    : {
        status: outcome.status,
        isTruncated: outcome.truncated,
        retryAfter: outcome.headers['retry-after'],
      }
