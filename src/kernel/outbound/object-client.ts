// A client of one bucket of an S3-compatible object store, at the endpoint that the operator has configured. It connects to nothing
// else, follows no redirect, and limits time, retries and bytes.

import { createHash } from 'node:crypto'
import { setTimeout as pause, setImmediate } from 'node:timers/promises'
import type { Pool } from 'undici'
import { PRODUCT } from '../../contract/version.ts'
import { type Clock, wallClock } from '../async/clock.ts'
import { ignoreErrors } from '../async/ignore-errors.ts'
import type { EnvironmentProxies } from './environment-proxies.ts'
import { type FailureKind, failureOf, startDeadline } from './failure.ts'
import { openOperatorPool } from './operator-pool.ts'
import { type SigningCredentials, signRequest } from './sign-request.ts'

export interface ObjectClientOptions extends SigningCredentials {
  /** `https://host:port`, without a path. */
  endpoint: string
  bucket: string
  /** PEM certificates of additional certificate authorities. */
  extraCa: readonly string[]
  proxies?: EnvironmentProxies | undefined
  limits?: Partial<ObjectLimits>
  /** For signatures. Absent: the wall clock. */
  clock?: Clock | undefined
}

export interface ObjectLimits {
  connectMs: number
  /** Pause in an answer, and time limit of a request without a file. */
  answerMs: number
  /** Time limit of a request that carries a file. */
  transferMs: number
  /** Pause before each retry. The number of entries is the number of retries. */
  retryPausesMs: readonly number[]
  /** What a store may send for one request: the body, headers, and the frames of its chunks. */
  answerBytes: number
}

export interface ObjectClient {
  /** Null: there is no such object. */
  get(key: string, range?: { start: number; length: number }): Promise<Uint8Array | null>
  put(key: string, bytes: Uint8Array): Promise<void>
  /** Also succeeds if there is no such object. */
  remove(key: string): Promise<void>
  /** The names below `prefix` up to the next slash: objects, and folders with the slash. */
  list(prefix: string): Promise<string[]>
  close(): Promise<void>
}

/** The message has no address and no key. */
export class ObjectStoreError extends Error {
  /** The same request may succeed a moment later. */
  readonly isTemporary: boolean

  constructor(message: string, isTemporary: boolean, cause?: unknown) {
    super(message, { cause })
    this.name = 'ObjectStoreError'
    this.isTemporary = isTemporary
  }
}

const MB = 1024 * 1024
/** More than the largest received file, encrypted. */
const MAX_BYTES = 128 * MB
const LIMITS: ObjectLimits = {
  connectMs: 3000,
  answerMs: 10_000,
  transferMs: 120_000,
  retryPausesMs: [200, 1000],
  answerBytes: 2 * MAX_BYTES,
}
/** Of a thousand names each. A store may announce a further page without end. */
const MAX_PAGES = 10_000
const CONNECTIONS = 16
const HASH_PIECE_BYTES = MB
/** A request that was not answered in time is not retried here: its caller waits. */
const RETRYABLE = new Set<FailureKind>(['dns', 'connect', 'proxy', 'reset'])
/** The range starts behind the last byte. */
const BEYOND_END = 416
const BUSY = new Set([408, 425, 429, 500, 502, 503, 504])

interface ObjectRequest {
  method: 'GET' | 'PUT' | 'DELETE'
  path: string
  query?: Record<string, string>
  range?: { start: number; length: number } | undefined
  body?: Uint8Array
  limitMs: number
}

interface Answer {
  status: number
  body: Buffer
}

export function createObjectClient(options: ObjectClientOptions): ObjectClient {
  const limits = { ...LIMITS, ...options.limits }
  const { answerMs, transferMs } = limits
  const { endpoint, extraCa, proxies } = options
  const pool = openOperatorPool({ endpoint, extraCa, proxies, connections: CONNECTIONS, ...limits })
  const bucketPath = `/${options.bucket}`
  const pathOf = (key: string) => `${bucketPath}/${key}`
  const send = (request: ObjectRequest) =>
    withRetries(limits.retryPausesMs, () => exchange(pool, options, request))
  return {
    async get(key, range) {
      const answer = await send({ method: 'GET', path: pathOf(key), range, limitMs: transferMs })
      if (answer.status === 404 && codeIn(answer.body) !== 'NoSuchBucket') return null
      if (range && answer.status === BEYOND_END) return new Uint8Array()
      const { status, body } = expectSuccess(answer)
      // A store may ignore the range.
      return range && status === 200 ? body.subarray(range.start, range.start + range.length) : body
    },
    async put(key, bytes) {
      expectSuccess(await send({ method: 'PUT', path: pathOf(key), body: bytes, limitMs: transferMs }))
    },
    async remove(key) {
      const answer = await send({ method: 'DELETE', path: pathOf(key), limitMs: answerMs })
      if (answer.status !== 404 || codeIn(answer.body) === 'NoSuchBucket') expectSuccess(answer)
    },
    async list(prefix) {
      const found: string[] = []
      let next: Record<string, string> = {}
      for (let pages = 0; pages < MAX_PAGES; pages += 1) {
        const query = { 'list-type': '2', delimiter: '/', prefix, ...next }
        const answer = await send({ method: 'GET', path: bucketPath, query, limitMs: answerMs })
        const page = expectSuccess(answer).body.toString()
        found.push(...namesIn(page, prefix))
        const [token] = valuesOf(page, 'NextContinuationToken')
        if (token === undefined) return found
        next = { 'continuation-token': token }
      }
      throw new ObjectStoreError('The object store lists more names than are read.', false)
    },
    close: () => pool.destroy(),
  }
}

async function withRetries<T>(pausesMs: readonly number[], work: () => Promise<T>): Promise<T> {
  for (const pauseMs of pausesMs) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ObjectStoreError && error.isTemporary)) throw error
    }
    await pause(pauseMs)
  }
  return work()
}

/** Throws for an answer that a retry may change; every other answer is returned. */
async function exchange(
  pool: Pool,
  options: ObjectClientOptions,
  { method, path, query = {}, range, body, limitMs }: ObjectRequest,
): Promise<Answer> {
  const { host } = new URL(options.endpoint)
  const bodyHash = await hashOf(body ?? Buffer.alloc(0))
  const { target, headers } = signRequest(
    options,
    { method, host, path, query, bodyHash },
    new Date((options.clock ?? wallClock)()),
  )
  const deadline = startDeadline(limitMs)
  try {
    const response = await pool.request({
      method,
      path: target,
      headers: {
        ...headers,
        'user-agent': PRODUCT,
        ...(range && { range: `bytes=${range.start}-${range.start + range.length - 1}` }),
      },
      ...(body === undefined ? {} : { body }),
      signal: deadline.signal,
    })
    const answer = { status: response.statusCode, body: await readBody(ignoreErrors(response.body)) }
    if (BUSY.has(answer.status)) throw refusal(answer, true)
    return answer
  } catch (error) {
    if (error instanceof ObjectStoreError) throw error
    const { error: kind, message } = failureOf(error, deadline.signal)
    throw new ObjectStoreError(`object store: ${message}`, RETRYABLE.has(kind), error)
  } finally {
    deadline.clear()
  }
}

async function readBody(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > MAX_BYTES) throw new ObjectStoreError('object store: the answer is too large', false)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** In pieces, so that the event loop runs between them. */
async function hashOf(bytes: Uint8Array): Promise<string> {
  const hash = createHash('sha256')
  for (let at = 0; at < bytes.length; at += HASH_PIECE_BYTES) {
    if (at > 0) await setImmediate()
    hash.update(bytes.subarray(at, at + HASH_PIECE_BYTES))
  }
  return hash.digest('hex')
}

function expectSuccess(answer: Answer): Answer {
  if (answer.status >= 200 && answer.status < 300) return answer
  throw refusal(answer, false)
}

/** Only the code of the answer: the rest of it can contain the access key. */
const refusal = ({ status, body }: Answer, isTemporary: boolean): ObjectStoreError =>
  new ObjectStoreError(`object store: it answered ${[status, codeIn(body)].join(' ').trim()}`, isTemporary)

const CODE = /<Code>(\w{1,64})<\/Code>/
const codeIn = (body: Buffer): string => CODE.exec(body.subarray(0, 4096).toString('latin1'))?.[1] ?? ''

function namesIn(page: string, prefix: string): string[] {
  const folders = valuesOf(page, 'CommonPrefixes').flatMap((part) => valuesOf(part, 'Prefix'))
  return [...valuesOf(page, 'Key'), ...folders]
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length))
}

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

/** The answer of a list is flat, and its names are ours: a parser of XML is not needed. */
const valuesOf = (xml: string, tag: string): string[] =>
  [...xml.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, 'gs'))].map(([, text = '']) =>
    text.replaceAll(/&(lt|gt|amp|quot|apos);/g, (_, name: string) => ENTITIES[name] ?? ''),
  )
