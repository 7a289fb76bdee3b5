// Checks AWS Signature Version 4 by our own reading of the specification, for servers that stand for AWS in tests.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

export interface Expected {
  service: string
  region: string
  accessKey: string
  secretKey: string
}

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([a-z0-9]+)\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/
const MAX_SKEW_MS = 15 * 60 * 1000

/** Undefined: the signature is right. Otherwise the code of the refusal. */
export function faultOfSignature(
  { headers, method, url = '' }: Pick<IncomingMessage, 'headers' | 'method' | 'url'>,
  body: Buffer,
  expected: Expected,
): string | undefined {
  const match = AUTHORIZATION.exec(headers.authorization ?? '')
  if (!match) return 'AccessDenied'
  const [, accessKey = '', day = '', region = '', service = '', names = '', signature = ''] = match
  const time = String(headers['x-amz-date'])
  const isoTime = time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z')
  if (!(Math.abs(Date.parse(isoTime) - Date.now()) < MAX_SKEW_MS)) return 'RequestTimeTooSkewed'
  if (accessKey !== expected.accessKey) return 'InvalidAccessKeyId'
  if (region !== expected.region || service !== expected.service || day !== time.slice(0, 8))
    return 'AuthorizationHeaderMalformed'
  const bodyHash = createHash('sha256').update(body).digest('hex')
  if (headers['x-amz-content-sha256'] !== bodyHash) return 'XAmzContentSHA256Mismatch'
  const signed = names.split(';')
  if (!['host', 'x-amz-content-sha256', 'x-amz-date'].every((name) => signed.includes(name)))
    return 'AccessDenied'
  const [path = '', query = ''] = url.split('?')
  let canonical = `${method}\n${path}\n${query.split('&').sort().join('&')}\n`
  for (const name of signed) canonical += `${name}:${String(headers[name]).trim()}\n`
  canonical += `\n${names}\n${bodyHash}`
  const scope = [day, region, service, 'aws4_request']
  let key = Buffer.from(`AWS4${expected.secretKey}`)
  for (const part of scope) key = createHmac('sha256', key).update(part).digest()
  const hash = createHash('sha256').update(canonical).digest('hex')
  const text = `AWS4-HMAC-SHA256\n${time}\n${scope.join('/')}\n${hash}`
  const wanted = createHmac('sha256', key).update(text).digest()
  return timingSafeEqual(wanted, Buffer.from(signature, 'hex')) ? undefined : 'SignatureDoesNotMatch'
}
