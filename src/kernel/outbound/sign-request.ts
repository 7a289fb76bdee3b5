// AWS Signature Version 4 for requests to an object store and to queues. Written here because the small packages for it either have had no release
// for two years or bring an HTTP client of their own, without the limits and certificate authorities of this one.
import { createHash, createHmac } from 'node:crypto'

export interface SigningCredentials {
  region: string
  accessKey: string
  secretKey: string
  /** Default: the object store. */
  service?: 's3' | 'sqs'
}

export interface RequestToSign {
  method: string
  host: string
  /** Not encoded. */
  path: string
  query: Readonly<Record<string, string>>
  headers?: Readonly<Record<string, string>>
  /** SHA-256 of the body, in hex. */
  bodyHash: string
}

export interface SignedRequest {
  /** Path and query, encoded as they were signed. */
  target: string
  headers: Record<string, string>
}

const ALGORITHM = 'AWS4-HMAC-SHA256'

export function signRequest(
  credentials: SigningCredentials,
  { method, host, path, query, headers = {}, bodyHash }: RequestToSign,
  at: Date,
): SignedRequest {
  const time = at.toISOString().replaceAll(/[-:]|\.\d+/g, '')
  const signed = { ...headers, host, 'x-amz-content-sha256': bodyHash, 'x-amz-date': time }
  const lines = Object.entries(signed)
    .map(([name, value]) => [name.toLowerCase(), value.trim()] as const)
    .sort(byName)
  const names = lines.map(([name]) => name).join(';')
  const encodedPath = path.split('/').map(encode).join('/')
  const encodedQuery = Object.entries(query)
    .map(([name, value]) => [encode(name), encode(value)] as const)
    .sort(byName)
    .map((pair) => pair.join('='))
    .join('&')
  const headerLines = lines.map(([name, value]) => `${name}:${value}\n`).join('')
  const canonical = [method, encodedPath, encodedQuery, headerLines, names, bodyHash].join('\n')
  const scope = `${time.slice(0, 8)}/${credentials.region}/${credentials.service ?? 's3'}/aws4_request`
  const text = [ALGORITHM, time, scope, createHash('sha256').update(canonical).digest('hex')].join('\n')
  const signature = hmac(signingKey(credentials, time.slice(0, 8)), text).toString('hex')
  const credential = `${credentials.accessKey}/${scope}`
  const authorization = `${ALGORITHM} Credential=${credential}, SignedHeaders=${names}, Signature=${signature}`
  return {
    target: encodedQuery === '' ? encodedPath : `${encodedPath}?${encodedQuery}`,
    headers: { ...Object.fromEntries(lines), authorization },
  }
}

const byName = ([a]: readonly [string, string], [b]: readonly [string, string]): number => (a < b ? -1 : 1)

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

const signingKey = ({ region, secretKey, service = 's3' }: SigningCredentials, day: string): Buffer =>
  [day, region, service, 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secretKey}`) as Buffer

/** Leaves fewer characters unencoded than `encodeURIComponent`. */
const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
