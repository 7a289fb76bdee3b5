// The signatures of a delivery: the gateway's own format, and that of Standard Webhooks.
import { createHmac } from 'node:crypto'
import type { WebhookSecrets } from './secrets.ts'

const PREFIX = 'whsec_'
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** HMAC-SHA256 of `<timestamp>.<body>` with the whole secret as the key, in hex. */
export const serviceSignature = (secret: string, timestamp: number, body: string): string =>
  createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')

/** HMAC-SHA256 of `<id>.<timestamp>.<body>` in base64, with the version prefix. */
export const standardSignature = (secret: string, id: string, timestamp: number, body: string): string =>
  `v1,${createHmac('sha256', standardKey(secret)).update(`${id}.${timestamp}.${body}`).digest('base64')}`

/** A secret in the Standard Webhooks format encodes the key in base64; any other secret is the key itself (decision 0025). */
function standardKey(secret: string): Buffer {
  const encoded = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : ''
  return encoded !== '' && BASE64.test(encoded) ? Buffer.from(encoded, 'base64') : Buffer.from(secret)
}

export interface SignedDelivery {
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
