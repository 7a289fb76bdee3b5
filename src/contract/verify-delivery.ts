// Verifies that a delivery comes from this gateway, for receivers in Node and in every other place with Web Crypto (spec 6).

/** Older or newer deliveries than this are refused, so that one that was overheard cannot be sent again later. */
const TOLERANCE_SECONDS = 5 * 60
const SIGNATURE_HEADERS = ['x-service-signature', 'x-service-signature-previous']

export interface DeliveryToVerify {
  /** As they came: of `fetch`, or of Node with their names in lower case. */
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
  /** The raw body, before anything has parsed it. */
  body: string | Uint8Array
  /** The whole secret of the webhook, with its prefix. */
  secret: string
  toleranceSeconds?: number
  /** Milliseconds, in place of this machine's clock. */
  now?: number
}

/**
 * True only for a delivery that was signed with this secret a short while ago. During a rotation the gateway signs with both
 * secrets, so the old one serves until its overlap ends. Comparing takes the same time wherever two signatures differ.
 */
export async function verifyDelivery(delivery: DeliveryToVerify): Promise<boolean> {
  const { headers, body, secret, toleranceSeconds = TOLERANCE_SECONDS, now = Date.now() } = delivery
  const timestamp = headerOf(headers, 'x-service-timestamp')
  if (secret === '' || !/^\d{1,12}$/.test(timestamp)) return false
  if (Math.abs(now / 1000 - Number(timestamp)) > toleranceSeconds) return false
  const signatures = SIGNATURE_HEADERS.flatMap((name) => fromHex(headerOf(headers, name)))
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', encode(secret), algorithm, false, ['verify'])
  const signed = join(encode(`${timestamp}.`), typeof body === 'string' ? encode(body) : body)
  const verdicts = await Promise.all(
    signatures.map((signature) => crypto.subtle.verify('HMAC', key, signature, signed)),
  )
  return verdicts.includes(true)
}

/** A header that came twice is none: who reads which of them is anybody's guess. */
function headerOf(headers: DeliveryToVerify['headers'], name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name]
  return typeof value === 'string' ? value : ''
}

/** Exactly 64 lower-case digits, or nothing: a signature that was cut or made longer is not compared at all. */
function fromHex(text: string): Uint8Array<ArrayBuffer>[] {
  if (!/^[0-9a-f]{64}$/.test(text)) return []
  return [Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))]
}

const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

function join(start: Uint8Array, end: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(start.byteLength + end.byteLength)
  whole.set(start)
  whole.set(end, start.byteLength)
  return whole
}
