// Fetches one media file into a directory of its own: few redirects, each one judged, a limit on bytes and on time, tried
// again where that may help.
import { randomUUID } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline, type Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Agent, Dispatcher } from 'undici'
import { PRODUCT } from '../contract/version.ts'
import { startDeadline } from './deadline.ts'
import { type FailureKind, failureOf, OutboundError } from './failure.ts'
import type { DownloadFailure, FetchedFile } from './media-cache.ts'
import { type TargetCheck, TargetRefused } from './target.ts'

export interface DownloadLimits {
  /** One try, from the first packet to the last byte. */
  tryMs: number
  /** A host that has begun must go on within this time. */
  idleMs: number
  /** How long to wait before each further try; as many tries follow the first as there are pauses. */
  retryPausesMs: readonly number[]
}

export interface DownloadParts {
  agent: Agent
  check: TargetCheck
  limits: DownloadLimits
  /** Where the files go. */
  directory: () => Promise<string>
  /** Ends everything that is under way. */
  stop: AbortSignal
}

const REQUEST_HEADERS = { 'user-agent': PRODUCT, accept: '*/*', 'accept-encoding': 'identity' }
const MAX_REDIRECTS = 3
const REDIRECTS = new Set([301, 302, 303, 307, 308])
/** Busy rather than wrong: the same request may pass a moment later. */
const BUSY = new Set([408, 425, 429])
const WORTH_ANOTHER_TRY = new Set<FailureKind>(['dns', 'connect', 'timeout', 'reset'])

interface Refusal extends DownloadFailure {
  /** Another try may end better. */
  again?: boolean
}

/** Rejects only for faults on our side: a full disk, or a server that stops. */
export async function fetchToFile(
  parts: DownloadParts,
  href: string,
  limitBytes: number,
): Promise<FetchedFile | DownloadFailure> {
  const pausesMs = [...parts.limits.retryPausesMs]
  for (;;) {
    const outcome = await fetchOnce(parts, href, limitBytes)
    if ('path' in outcome) return outcome
    const pauseMs = outcome.again ? pausesMs.shift() : undefined
    if (pauseMs === undefined) return { failed: outcome.failed, message: outcome.message }
    // A stop ends the pause; the next try then says so.
    await pause(pauseMs, undefined, { signal: parts.stop }).catch(() => undefined)
  }
}

const unavailable = (message: string, again = false): Refusal => ({
  failed: 'media_unavailable',
  message,
  again,
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
    const response = await follow(parts, href, deadline.signal)
    if (response === undefined) return unavailable('The URL redirects too often.')
    // Nobody reads on in what is refused: the connection is closed with it.
    response.body.on('error', () => undefined)
    try {
      return await take(parts, response, limitBytes)
    } finally {
      response.body.destroy()
    }
  } catch (error) {
    if (error instanceof StorageFault) throw error.cause
    const { error: kind, message } = failureOf(error, deadline.signal)
    if (kind === 'stopped') throw new OutboundError('stopped', error)
    return unavailable(message, WORTH_ANOTHER_TRY.has(kind))
  } finally {
    deadline.clear()
  }
}

/** The first answer that is no redirect; undefined after too many. */
async function follow(
  { agent, check, limits }: DownloadParts,
  href: string,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData | undefined> {
  let next = href
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const target = check(next, 'media')
    if (target instanceof TargetRefused) throw target
    const { url } = target
    const response = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'GET',
      headers: REQUEST_HEADERS,
      signal,
      headersTimeout: limits.idleMs,
      bodyTimeout: limits.idleMs,
    })
    const { location } = response.headers
    if (!REDIRECTS.has(response.statusCode) || typeof location !== 'string') return response
    response.body.on('error', () => undefined).destroy()
    // A location that is no URL fails the next check.
    next = URL.parse(location, url.href)?.href ?? location
  }
  return undefined
}

async function take(
  parts: DownloadParts,
  { statusCode, headers, body }: Dispatcher.ResponseData,
  limitBytes: number,
): Promise<FetchedFile | Refusal> {
  if (statusCode < 200 || statusCode > 299) {
    return unavailable(`The host answered ${statusCode}.`, statusCode > 499 || BUSY.has(statusCode))
  }
  if (Number(headers['content-length'] ?? 0) > limitBytes) return tooLarge(limitBytes)
  const path = join(await stored(parts.directory()), randomUUID())
  let whole = false
  try {
    const sizeBytes = await write(decoded(body, headers['content-encoding']), path, limitBytes)
    if (sizeBytes === 0) return unavailable('The file is empty.')
    if (sizeBytes > limitBytes) return tooLarge(limitBytes)
    whole = true
    return { path, sizeBytes, contentType: String(headers['content-type'] ?? '') }
  } finally {
    if (!whole) await rm(path, { force: true })
  }
}

/** Some hosts compress whatever is asked of them. The limit counts what comes out. */
function decoded(body: Readable, encoding: string | string[] | undefined): Readable {
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

/** Our own disk's fault, not the host's. */
class StorageFault extends Error {}

/** Returns the bytes seen: more than the limit means that it stopped there. */
async function write(source: Readable, path: string, limitBytes: number): Promise<number> {
  const file = await stored(open(path, 'wx', 0o600))
  try {
    let sizeBytes = 0
    for await (const chunk of source as AsyncIterable<Buffer>) {
      sizeBytes += chunk.length
      if (sizeBytes > limitBytes) break
      await stored(file.appendFile(chunk))
    }
    return sizeBytes
  } finally {
    await file.close()
  }
}

const stored = <T>(work: Promise<T>): Promise<T> =>
  work.catch((cause: unknown) => {
    throw new StorageFault('the file could not be written', { cause })
  })
