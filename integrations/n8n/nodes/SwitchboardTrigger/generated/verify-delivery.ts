// Generated from src/contract/verify-delivery.ts by scripts/clients.ts. Do not edit: run `npm run docs:clients`.
// Verifies the signature of a delivery, and reads its events. For receivers in Node and any other runtime with Web Crypto.
interface Event {
  event: string
}

/** Limits replay attacks: a delivery with an older or newer timestamp is refused. */
const TOLERANCE_SECONDS = 5 * 60
const SIGNATURE_HEADERS = ['x-service-signature', 'x-service-signature-previous']

export interface DeliveryToVerify {
  /** From `fetch`, or from Node with names in lower case. */
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
  /** The raw body, not parsed and serialized again. */
  body: string | Uint8Array
  /** The webhook's secret, including its prefix. */
  secret: string
  toleranceSeconds?: number
  /** Current time in milliseconds; default: this machine's clock. */
  now?: number
}

/**
 * True only for a delivery that was recently signed with this secret. During a rotation the gateway signs with both secrets, so
 * the old one works until the overlap ends. Signatures are compared in constant time.
 */
export async function verifyDelivery(delivery: DeliveryToVerify): Promise<boolean> {
  const { headers, body, secret, toleranceSeconds = TOLERANCE_SECONDS, now = Date.now() } = delivery
  const timestamp = headerOf(headers, 'x-service-timestamp')
  if (secret === '' || !/^\d{1,12}$/.test(timestamp)) return false
  if (Math.abs(now / 1000 - Number(timestamp)) > toleranceSeconds) return false
  const signatures = SIGNATURE_HEADERS.flatMap((name) => fromHex(headerOf(headers, name)))
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', encode(secret), algorithm, false, ['verify'])
  const signed = concat(encode(`${timestamp}.`), typeof body === 'string' ? encode(body) : body)
  const results = await Promise.all(
    signatures.map((signature) => crypto.subtle.verify('HMAC', key, signature, signed)),
  )
  return results.includes(true)
}

/** The events of a verified body: one, or those of a batch. */
export function deliveredEvents(body: string | Uint8Array): Event[] {
  const parsed = JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body)) as
    | Event
    | { events: Event[] }
  return 'events' in parsed ? parsed.events : [parsed]
}

/** A repeated header counts as missing, because it is not clear which value applies. */
function headerOf(headers: DeliveryToVerify['headers'], name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name]
  return typeof value === 'string' ? value : ''
}

/** A signature must be exactly 64 lower-case hex digits; anything else is not compared. */
function fromHex(text: string): Uint8Array<ArrayBuffer>[] {
  if (!/^[0-9a-f]{64}$/.test(text)) return []
  return [Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))]
}

const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

function concat(start: Uint8Array, end: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(start.byteLength + end.byteLength)
  whole.set(start)
  whole.set(end, start.byteLength)
  return whole
}
