// One attempt of a delivery: sign the event, post it through the guarded client, and report the answer.

import { createHmac } from 'node:crypto'
import type { EventAttempt, PostEvent } from '../context.ts'
import type { Outbound } from '../kernel/outbound/client.ts'
import type { PostOutcome } from '../kernel/outbound/post.ts'
import { type Exchange, judgeExchange } from './rules.ts'
import type { WebhookSecrets } from './secrets.ts'

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

// The signatures of a delivery: the gateway's own format, and that of Standard Webhooks.

const PREFIX = 'whsec_'
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** HMAC-SHA256 of `<timestamp>.<body>` with the whole secret as the key, in hex. */
const serviceSignature = (secret: string, timestamp: number, body: string): string =>
  createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')

/** HMAC-SHA256 of `<id>.<timestamp>.<body>` in base64, with the version prefix. */
const standardSignature = (secret: string, id: string, timestamp: number, body: string): string =>
  `v1,${createHmac('sha256', standardKey(secret)).update(`${id}.${timestamp}.${body}`).digest('base64')}`

/** A secret in the Standard Webhooks format encodes the key in base64; any other secret is the key itself (decision 0025). */
function standardKey(secret: string): Buffer {
  const encoded = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : ''
  return encoded !== '' && BASE64.test(encoded) ? Buffer.from(encoded, 'base64') : Buffer.from(secret)
}

interface SignedDelivery {
  id: string
  event: string
  webhookId: number
  /** Unix seconds of this attempt. */
  timestamp: number
  body: string
}

export function deliveryHeaders(delivery: SignedDelivery, secrets: WebhookSecrets): Record<string, string> {
  const { id, event, webhookId, timestamp, body } = delivery
  const { current, previous } = secrets
  const standard = [current, ...(previous === null ? [] : [previous])].map((secret) =>
    standardSignature(secret, id, timestamp, body),
  )
  return {
    'Content-Type': 'application/json',
    'X-Service-Event': event,
    'X-Service-Timestamp': String(timestamp),
    'X-Service-Signature': serviceSignature(current, timestamp, body),
    ...(previous === null
      ? {}
      : { 'X-Service-Signature-Previous': serviceSignature(previous, timestamp, body) }),
    'X-Service-Webhook-Id': String(webhookId),
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': standard.join(' '),
  }
}
