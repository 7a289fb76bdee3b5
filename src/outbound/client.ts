// The only HTTP client for hosts outside the gateway, except the messaging network: posts to webhook receivers and downloads
// of media. Both reach public hosts only.
import { onAbort } from '../async/on-abort.ts'
import { realTimers, type Timers } from '../async/timers.ts'
import { createAddressGuard } from './address-guard.ts'
import { parseAllowTargets } from './allow-list.ts'
import { createConnector } from './connector.ts'
import { type DownloadLimits, fetchToFile, tooLarge } from './download.ts'
import { createDownloadDirectory } from './download-directory.ts'
import { OutboundError, sentenceOfFailure } from './failure.ts'
import {
  type AcquiredFile,
  createMediaCache,
  type DownloadFailure,
  isFailure,
  type MediaCache,
} from './media-cache.ts'
import { checkMediaType, type MediaKind } from './media-type.ts'
import { createOwnListeners, type OwnListeners } from './own-listeners.ts'
import { createPools } from './pools.ts'
import { type PostLimits, type PostOutcome, type PostRequest, post } from './post.ts'
import { createDnsResolve, type Resolve, resolveWithSystem } from './resolver.ts'
import { createTargetCheck, type TargetCheck, TargetRefused } from './target.ts'

export interface OutboundOptions {
  /** Private addresses, blocks and host names that are allowed. */
  allowTargets: readonly string[]
  /** PEM certificates of additional certificate authorities. */
  extraCa: readonly string[]
  /** Parent directory of downloaded files. */
  directory: string
  /** Public URLs of this gateway. They are never a target. */
  ownUrls?: readonly string[]
  /** Replaces DNS. */
  resolver?: Resolve
  limits?: Partial<OutboundLimits>
  timers?: Timers
}

export interface OutboundLimits extends PostLimits, DownloadLimits {
  connectMs: number
  bytes: Readonly<Record<MediaKind, number>>
  /** How long a downloaded file is reused for other messages of its account. */
  keepMs: number
  idleBytes: number
}

export interface DownloadRequest {
  /** Accounts do not share downloaded files. */
  accountId: number
  url: string
  kind: MediaKind
  /** Media type given by the sender. Overrides the detected type. */
  mimetype?: string | undefined
  /** Stops waiting; `download` then rejects with an `OutboundError` of kind `stopped`. */
  signal?: AbortSignal | undefined
}

export interface MediaFile {
  path: string
  sizeBytes: number
  mimetype: string
  /** Must be called when the file is no longer needed. */
  release(): Promise<void>
}

export interface Outbound {
  /** Checks the text of the URL only. Resolved addresses are checked at each connect. */
  check: TargetCheck
  /** Addresses this gateway listens on. They are never a target; more can be added at any time. */
  own: OwnListeners
  /** Never rejects. */
  post(request: PostRequest): Promise<PostOutcome>
  /** Rejects only for local faults: the file cannot be written, or the server stops. */
  download(request: DownloadRequest): Promise<MediaFile | DownloadFailure>
  /** Aborts running requests and removes the files. */
  close(): Promise<void>
}

const MB = 1024 * 1024

const MAX_CONNECTIONS_PER_HOST = 100
/** Unused connections are closed after IDLE_MS, or after the host's keep-alive time up to MAX_IDLE_MS. */
const IDLE_MS = 10_000
const MAX_IDLE_MS = 60_000
/** Number of hosts with a pool. A pool outlives its last connection. */
const MAX_HOSTS = 1000
const HOST_IDLE_MS = MAX_IDLE_MS + 5000

const LIMITS: OutboundLimits = {
  connectMs: 5000,
  exchangeMs: 15_000,
  answerBytes: 64 * 1024,
  bytes: { image: 16 * MB, video: 100 * MB, audio: 100 * MB, document: 100 * MB },
  tryMs: 120_000,
  idleMs: 15_000,
  retryPausesMs: [1000, 5000],
  keepMs: 60_000,
  idleBytes: 1024 * MB,
}

export function createOutbound(options: OutboundOptions): Outbound {
  const limits = { ...LIMITS, ...options.limits }
  const timers = options.timers ?? realTimers
  const allow = parseAllowTargets(options.allowTargets)
  const guard = createAddressGuard(allow.blocks)
  const own = createOwnListeners()
  const check = createTargetCheck({ guard, allow, ownUrls: options.ownUrls ?? [], own })
  const connect = createConnector({
    guard,
    allow,
    own,
    resolve: options.resolver ?? createDnsResolve(),
    resolveAllowed: options.resolver ?? resolveWithSystem,
    extraCa: options.extraCa,
    connectMs: limits.connectMs,
    timers,
  })
  const pools = createPools(
    // Receivers and media hosts are untrusted: HTTP/1.1 only, one request at a time per connection.
    {
      allowH2: false,
      pipelining: 1,
      connections: MAX_CONNECTIONS_PER_HOST,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: MAX_IDLE_MS,
      connect,
    },
    { idleMs: HOST_IDLE_MS, maxPools: MAX_HOSTS },
  )
  const stop = new AbortController()
  const directory = createDownloadDirectory(options.directory)
  const parts = { pools, check, limits, directory: directory.path, stop: stop.signal, timers }
  const cache = createMediaCache({
    fetch: (href, limitBytes) => fetchToFile(parts, href, limitBytes),
    keepMs: limits.keepMs,
    idleBytes: limits.idleBytes,
    timers,
  })
  return {
    check,
    own,
    post: (request) => post(parts, request),
    download: (request) => download(cache, check, limits.bytes[request.kind], request),
    async close() {
      stop.abort()
      cache.clear()
      await pools.destroy()
      await directory.remove()
    },
  }
}

async function download(
  cache: MediaCache,
  check: TargetCheck,
  limitBytes: number,
  { accountId, url, kind, mimetype, signal }: DownloadRequest,
): Promise<MediaFile | DownloadFailure> {
  const target = check(url, 'media')
  if (target instanceof TargetRefused)
    return { failed: 'media_unavailable', message: sentenceOfFailure('not_allowed') }
  target.url.hash = ''
  const file = await unlessAborted(cache.acquire({ accountId, href: target.url.href, limitBytes }), signal)
  if (isFailure(file)) return file
  const type = await checkFile(file, kind, limitBytes, mimetype)
  if (isFailure(type)) {
    await file.release()
    return type
  }
  const { path, sizeBytes, release } = file
  return { path, sizeBytes, mimetype: type.mimetype, release }
}

/** The size is checked again: the file may have been downloaded for a request with a higher limit. */
async function checkFile(
  file: AcquiredFile,
  kind: MediaKind,
  limitBytes: number,
  mimetype: string | undefined,
) {
  if (file.sizeBytes > limitBytes) return tooLarge(limitBytes)
  return checkMediaType(file.path, kind, { mimetype, contentType: file.contentType })
}

/** The download itself continues, because other messages may wait for it. */
async function unlessAborted(
  acquiring: Promise<AcquiredFile | DownloadFailure>,
  signal: AbortSignal | undefined,
): Promise<AcquiredFile | DownloadFailure> {
  if (!signal) return acquiring
  const stopped = Promise.withResolvers<never>()
  const forget = onAbort(signal, () => stopped.reject(new OutboundError('stopped')))
  try {
    return await Promise.race([acquiring, stopped.promise])
  } catch (error) {
    void acquiring.then(
      (file) => (isFailure(file) ? undefined : file.release()),
      () => undefined,
    )
    throw error
  } finally {
    forget()
  }
}
