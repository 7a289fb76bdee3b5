// One attempt of a delivery: sign the event, post it through the guarded client, and report the answer.
import type { EventAttempt, PostEvent } from '../context.ts'
import type { Outbound } from '../kernel/outbound/client.ts'
import type { PostOutcome } from '../kernel/outbound/post.ts'
import { type Exchange, judgeExchange } from './rules-delivery-outcome.ts'
import { deliveryHeaders } from './sign.ts'

export const createPostEvent =
  (
    post: Outbound['post'],
    clock: () => number,
    /** The best estimate of the true time: receivers compare the time of the signature with theirs. */
    forSignatures = clock,
  ): PostEvent =>
  async ({ url, webhookId, secrets, id, event, body, signal, traceparent, headers: more, secretHeaders }) => {
    const at = clock()
    const timestamp = Math.floor(forSignatures() / 1000)
    const own = deliveryHeaders({ id, event, webhookId, timestamp, body }, secrets)
    if (traceparent !== undefined) own.traceparent = traceparent
    const secret = without(own, secretHeaders)
    const headers = { ...secret, ...without(own, more), ...own }
    const outcome = await post({ url, headers, body, ...(signal ? { signal } : {}) })
    const shown = { ...headers, ...masked(secret) }
    return { at, headers: shown, ...answerOf(outcome), ...judgeExchange(exchangeOf(outcome), clock()) }
  }

/** Names of headers are the same in upper and lower case. */
const without = (
  own: Record<string, string>,
  headers: Record<string, string> = {},
): Record<string, string> => {
  const taken = new Set(Object.keys(own).map((name) => name.toLowerCase()))
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !taken.has(name.toLowerCase())))
}

const masked = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.keys(headers).map((name) => [name, '***']))

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

// The answer of a receiver as text that is safe to store and show: its content is not trusted.

const SHOWN_BYTES = 4096
/** Control characters except line breaks and tabs, and characters that change the text direction. */
// oxlint-disable-next-line no-control-regex -- matching control characters is the purpose
const UNSAFE = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g

/** The first 4 KiB. A character that is cut off at the end is dropped; bytes that are not text become `�`. */
function answerText(body: Uint8Array): string {
  const cut = body.byteLength > SHOWN_BYTES
  const text = new TextDecoder().decode(body.subarray(0, SHOWN_BYTES), { stream: cut })
  return text.replaceAll(UNSAFE, '\ufffd')
}
