// Downloads one media file: at most three redirects, each one checked, limits on size and time, retries for temporary
// failures.
import { randomUUID } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline, type Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Dispatcher } from 'undici'
import { PRODUCT } from '../../contract/version.ts'
import { wallClock } from '../async/clock.ts'
import { type FailureKind, failureOf, OutboundError, startDeadline } from './failure.ts'
import type { DownloadFailure, FetchedFile } from './media-cache.ts'
import type { Pools } from './pools.ts'
import { type TargetCheck, TargetRefused } from './target.ts'

export interface DownloadLimits {
  /** Time limit of one attempt, from the first packet to the last byte. */
  tryMs: number
  /** Maximum pause between two parts of the answer. */
  idleMs: number
  /** Pause before each retry. The number of entries is the number of retries. */
  retryPausesMs: readonly number[]
}

export interface DownloadParts {
  pools: Pools
  check: TargetCheck
  limits: DownloadLimits
  directory: () => Promise<string>
  /** Aborts all downloads. */
  stop: AbortSignal
}

const REQUEST_HEADERS = { 'user-agent': PRODUCT, accept: '*/*', 'accept-encoding': 'identity' }
const MAX_REDIRECTS = 3
const REDIRECTS = new Set([301, 302, 303, 307, 308])
/** Temporary refusals: the same request may succeed a moment later. */
const BUSY = new Set([408, 425, 429])
const RETRYABLE = new Set<FailureKind>(['dns', 'connect', 'proxy', 'timeout', 'reset'])

interface Refusal extends DownloadFailure {
  isRetryable?: boolean
}

/** Rejects only for local faults: the file cannot be written, or the server stops. */
export async function fetchToFile(
  parts: DownloadParts,
  href: string,
  limitBytes: number,
): Promise<FetchedFile | DownloadFailure> {
  const pausesMs = [...parts.limits.retryPausesMs]
  for (;;) {
    const outcome = await fetchOnce(parts, href, limitBytes)
    if ('path' in outcome) return outcome
    const pauseMs = outcome.isRetryable ? pausesMs.shift() : undefined
    if (pauseMs === undefined) return { failed: outcome.failed, message: outcome.message }
    // A stop ends the pause; the next attempt then rejects with `stopped`.
    await pause(pauseMs, undefined, { signal: parts.stop }).catch(() => undefined)
  }
}

const unavailable = (message: string, isRetryable = false): Refusal => ({
  failed: 'media_unavailable',
  message,
  isRetryable,
})
export const tooLarge = (limitBytes: number): DownloadFailure => ({
  failed: 'media_too_large',
  message: `The file is larger than ${Math.floor(limitBytes / (1024 * 1024))} MB.`,
})

async function fetchOnce(
  parts: DownloadParts,
  href: string,
  limitBytes: number,
): Promise<FetchedFile | Refusal> {
  const deadline = startDeadline(parts.limits.tryMs, parts.stop)
  try {
    const answer = await followRedirects(parts, href, deadline.signal)
    if (answer === undefined) return unavailable('The URL redirects too many times.')
    const { response, reusable } = answer
    // `destroy` below may emit an error that nothing else listens for.
    response.body.on('error', () => undefined)
    try {
      return await saveResponse(parts, response, limitBytes, reusable)
    } finally {
      response.body.destroy()
    }
  } catch (error) {
    if (error instanceof StorageError) throw error.cause
    const { error: kind, message } = failureOf(error, deadline.signal)
    if (kind === 'stopped') throw new OutboundError('stopped', error)
    return unavailable(message, RETRYABLE.has(kind))
  } finally {
    deadline.clear()
  }
}

interface Followed {
  response: Dispatcher.ResponseData
  /** The shortest reuse time of all answers in the redirect chain. */
  reusable: number
}

/** Returns the first answer that is not a redirect; undefined after too many redirects. */
export async function followRedirects(
  { pools, check, limits }: { pools: Pools; check: TargetCheck; limits: Pick<DownloadLimits, 'idleMs'> },
  href: string,
  signal: AbortSignal,
): Promise<Followed | undefined> {
  let next = href
  let reusable = Infinity
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const target = check(next, 'media')
    if (target instanceof TargetRefused) throw target
    const { url } = target
    const response = await pools.request(url.origin, {
      path: url.pathname + url.search,
      method: 'GET',
      headers: REQUEST_HEADERS,
      signal,
      headersTimeout: limits.idleMs,
      bodyTimeout: limits.idleMs,
    })
    reusable = Math.min(reusable, reusableMs(response.headers, wallClock()))
    const { location } = response.headers
    if (!REDIRECTS.has(response.statusCode) || typeof location !== 'string') return { response, reusable }
    response.body.on('error', () => undefined).destroy()
    // An invalid location fails the next check.
    next = URL.parse(location, url.href)?.href ?? location
  }
  return undefined
}

async function saveResponse(
  parts: DownloadParts,
  { statusCode, headers, body }: Dispatcher.ResponseData,
  limitBytes: number,
  reusable: number,
): Promise<FetchedFile | Refusal> {
  if (statusCode < 200 || statusCode > 299) {
    return unavailable(`The host answered ${statusCode}.`, statusCode > 499 || BUSY.has(statusCode))
  }
  if (Number(headers['content-length'] ?? 0) > limitBytes) return tooLarge(limitBytes)
  const path = join(await asStorageError(parts.directory()), randomUUID())
  let whole = false
  try {
    const sizeBytes = await write(decoded(body, headers['content-encoding']), path, limitBytes)
    if (sizeBytes === 0) return unavailable('The file is empty.')
    if (sizeBytes > limitBytes) return tooLarge(limitBytes)
    whole = true
    const contentType = String(headers['content-type'] ?? '')
    return { path, sizeBytes, contentType, reusableMs: reusable }
  } finally {
    if (!whole) await rm(path, { force: true })
  }
}

/** Some hosts compress although `accept-encoding` is `identity`. The size limit applies to the decompressed bytes. */
export function decoded(body: Readable, encoding: string | string[] | undefined): Readable {
  const make = DECODERS[String(encoding ?? 'identity').toLowerCase()]
  if (!make) throw new OutboundError('protocol')
  const decoder = make()
  return decoder ? pipeline(body, decoder, () => undefined) : body
}

const DECODERS: Record<string, (() => NodeJS.ReadWriteStream & Readable) | (() => undefined)> = {
  identity: () => undefined,
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/** Writing the file failed: a local fault, not the host's. */
class StorageError extends Error {}

/** Returns the number of bytes read. More than the limit means that reading stopped early. */
async function write(source: Readable, path: string, limitBytes: number): Promise<number> {
  const file = await asStorageError(open(path, 'wx', 0o600))
  try {
    let sizeBytes = 0
    for await (const chunk of source as AsyncIterable<Buffer>) {
      sizeBytes += chunk.length
      if (sizeBytes > limitBytes) break
      await asStorageError(file.appendFile(chunk))
    }
    return sizeBytes
  } finally {
    await file.close()
  }
}

const asStorageError = <T>(work: Promise<T>): Promise<T> =>
  work.catch((cause: unknown) => {
    throw new StorageError('the file could not be written', { cause })
  })

// How long a media host's answer may be reused for other messages, according to its headers (decision 0082).

export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>

const REFUSED = ['no-store', 'no-cache', 'private']
const SECONDS = /^\d{1,10}$/

/**
 * 0: the answer must not be reused. Infinity: the host sets no limit. `Set-Cookie` is ignored: the client sends neither
 * cookies nor credentials, so all requests for a URL are the same.
 */
export function reusableMs(headers: ResponseHeaders, nowMs: number): number {
  if (itemsOf(headers.vary).includes('*')) return 0
  const directives = new Map(itemsOf(headers['cache-control']).map(toDirective))
  if (REFUSED.some((name) => directives.has(name))) return 0
  const lifetime = directives.get('s-maxage') ?? directives.get('max-age')
  if (lifetime !== undefined) return remainingMs(lifetime, textOf(headers.age))
  const expires = textOf(headers.expires)
  if (expires !== undefined) return untilMs(expires, textOf(headers.date), nowMs)
  const legacy = headers['cache-control'] === undefined && itemsOf(headers.pragma).includes('no-cache')
  return legacy ? 0 : Infinity
}

/** An invalid lifetime counts as expired. */
function remainingMs(lifetime: string, age = '0'): number {
  if (!SECONDS.test(lifetime)) return 0
  const passed = SECONDS.test(age) ? Number(age) : 0
  return Math.max(0, Number(lifetime) - passed) * 1000
}

/** Measured by the host's clock if it sends a `Date` header. */
function untilMs(expires: string, date: string | undefined, nowMs: number): number {
  const end = Date.parse(expires)
  const start = date === undefined ? Number.NaN : Date.parse(date)
  return Number.isNaN(end) ? 0 : Math.max(0, end - (Number.isNaN(start) ? nowMs : start))
}

const textOf = (value: string | string[] | undefined): string | undefined => [value].flat()[0]?.trim()

const itemsOf = (value: string | string[] | undefined): string[] =>
  [value ?? []].flat().flatMap((line) => line.split(',').map((item) => item.trim().toLowerCase()))

function toDirective(item: string): [name: string, argument: string] {
  const [name = '', argument = ''] = item.split('=', 2)
  return [name.trim(), argument.trim().replaceAll('"', '')]
}
