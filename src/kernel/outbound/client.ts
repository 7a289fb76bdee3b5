// The only HTTP client for hosts outside the gateway, except the messaging network: posts to webhook receivers, downloads
// of media, and link previews. All of them reach public hosts only.
import { MEDIA_LIMIT_BYTES } from '../../contract/media.ts'
import { realTimers, type Timers } from '../async/timers.ts'
import { unlessAborted } from '../async/waiting.ts'
import { createAddressGuard, parseAllowTargets } from './address-guard.ts'
import { type Brokers, createBrokers } from './brokers.ts'
import { type ConnectorParts, createConnector } from './connector.ts'
import { type DownloadLimits, decoded, fetchToFile, followRedirects, tooLarge } from './download.ts'
import { createDownloadDirectory } from './download-directory.ts'
import type { EnvironmentProxies, ProxyRoutes } from './environment-proxies.ts'
import { failureOf, OutboundError, sentenceOfFailure, startDeadline } from './failure.ts'
import {
  type AcquiredFile,
  createMediaCache,
  type DownloadFailure,
  isFailure,
  type MediaCache,
} from './media-cache.ts'
import { checkMediaType, type FileKind } from './media-type.ts'
import { createOwnListeners, type OwnListeners } from './own-listeners.ts'
import { createPools, type Pools } from './pools.ts'
import { type PostLimits, type PostOutcome, type PostRequest, post } from './post.ts'
import { type ProxyAddress, parseProxy } from './proxy-address.ts'
import { createProxyRoutes } from './proxy-routes.ts'
import { createDnsResolve, type ResolveHost, resolveWithSystem } from './resolver.ts'
import {
  createTargetCheck,
  isHostAllowed,
  NOT_OWN,
  NOT_PUBLIC,
  type Purpose,
  type TargetCheck,
  TargetRefused,
} from './target.ts'
import { createTunnels, type OpenTunnel, TUNNEL_ANSWER_BYTES } from './tunnel.ts'

export interface OutboundOptions {
  /** Private addresses, blocks and host names that are allowed. */
  allowTargets: readonly string[]
  /** PEM certificates of additional certificate authorities. */
  extraCa: readonly string[]
  /** Parent directory of downloaded files. */
  directory: string
  /** Public URLs of this gateway. They are never a target. */
  ownUrls?: readonly string[]
  /** The proxies of the server. */
  proxies?: EnvironmentProxies | undefined
  /** Replaces DNS. */
  resolver?: ResolveHost
  limits?: Partial<OutboundLimits>
  timers?: Timers
}

export interface OutboundLimits extends PostLimits, DownloadLimits {
  connectMs: number
  bytes: Readonly<Record<FileKind, number>>
  /** How long a downloaded file is reused for other messages of its account. */
  keepMs: number
  idleBytes: number
}

export interface DownloadRequest {
  /** Accounts do not share downloaded files. */
  accountId: number
  url: string
  kind: FileKind
  /** Media type given by the sender. Overrides the detected type. */
  mimetype?: string | undefined
  /** Stops waiting; `download` then rejects with an `OutboundError` of kind `stopped`. */
  signal?: AbortSignal | undefined
}

export interface MediaFile {
  path: string
  sizeBytes: number
  mimetype: string
  /** By the bytes alone; undefined if they do not show it. */
  detected: string | undefined
  /** Does work on the file once for all messages that share it. */
  derive: AcquiredFile['derive']
  /** Must be called when the file is no longer needed. */
  release(): Promise<void>
}

export interface Outbound {
  /** Checks the text of the URL only. Resolved addresses are checked at each connect. */
  check: TargetCheck
  /** As `check`, for the proxy of an instance, which may have credentials. */
  checkProxy(text: string): ProxyAddress | TargetRefused
  /** Opens a connection to a host of the messaging network through the proxy of an instance. */
  openTunnel: OpenTunnel
  /** Connections to the brokers of destinations. */
  brokers: Brokers
  /** The proxies of the server; undefined: none is set. */
  proxies: ProxyRoutes | undefined
  /** Addresses this gateway listens on. They are never a target; more can be added at any time. */
  own: OwnListeners
  /** Never rejects. */
  post(request: PostRequest): Promise<PostOutcome>
  /** Rejects only for local faults: the file cannot be written, or the server stops. */
  download(request: DownloadRequest): Promise<MediaFile | DownloadFailure>
  /** Reads the beginning of a page or picture. Never rejects. */
  peek(request: PeekRequest): Promise<PeekedPage | undefined>
  /** Reads a whole page as text. Rejects with a sentence that contains no address. */
  readPage(request: PageRequest): Promise<string>
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
  bytes: MEDIA_LIMIT_BYTES,
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
  const proxies = createProxyRoutes(options.proxies, options.extraCa)
  const connector = {
    guard,
    allow,
    own,
    resolve: options.resolver ?? createDnsResolve(),
    resolveAllowed: options.resolver ?? resolveWithSystem,
    extraCa: options.extraCa,
    connectMs: limits.connectMs,
    answerBytes: 2 * Math.max(limits.answerBytes, ...Object.values(limits.bytes)),
    timers,
  }
  const pools = createPools(
    // Receivers and media hosts are untrusted: HTTP/1.1 only, one request at a time per connection.
    {
      allowH2: false,
      pipelining: 1,
      connections: MAX_CONNECTIONS_PER_HOST,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: MAX_IDLE_MS,
      connect: createConnector({ ...connector, proxies }),
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
    checkProxy: (text) => checkProxy(connector, text),
    openTunnel: createTunnels(createConnector({ ...connector, answerBytes: TUNNEL_ANSWER_BYTES })),
    brokers: createBrokers(connector, check),
    proxies,
    post: (request) => post(parts, request),
    peek: (request) => peek(parts, request),
    readPage: (request) => readPage(parts, request),
    download: (request) => download(cache, check, limits.bytes[request.kind], request),
    async close() {
      stop.abort()
      cache.clear()
      await pools.destroy()
      await directory.remove()
    },
  }
}

function checkProxy(
  { own, guard, allow }: Pick<ConnectorParts, 'own' | 'guard' | 'allow'>,
  text: string,
): ProxyAddress | TargetRefused {
  const proxy = parseProxy(text)
  if (proxy instanceof TargetRefused) return proxy
  if (own.includesHost(proxy.hostname, proxy.port)) return new TargetRefused(NOT_OWN)
  return isHostAllowed(proxy.hostname, guard, allow) ? proxy : new TargetRefused(NOT_PUBLIC)
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
  const file = await unlessStopped(cache.acquire({ accountId, href: target.url.href, limitBytes }), signal)
  if (isFailure(file)) return file
  const type = await checkFile(file, kind, limitBytes, mimetype)
  if (isFailure(type)) {
    await file.release()
    return type
  }
  const { path, sizeBytes, derive, release } = file
  return { path, sizeBytes, ...type, derive, release }
}

/** The size is checked again: the file may have been downloaded for a request with a higher limit. */
async function checkFile(
  file: AcquiredFile,
  kind: FileKind,
  limitBytes: number,
  mimetype: string | undefined,
) {
  if (file.sizeBytes > limitBytes) return tooLarge(limitBytes)
  return checkMediaType(file.path, kind, { mimetype, contentType: file.contentType })
}

/** The download itself continues, because other messages may wait for it. */
async function unlessStopped(
  acquiring: Promise<AcquiredFile | DownloadFailure>,
  signal: AbortSignal | undefined,
): Promise<AcquiredFile | DownloadFailure> {
  try {
    return await unlessAborted(acquiring, signal, () => new OutboundError('stopped'))
  } catch (error) {
    void acquiring.then(
      (file) => (isFailure(file) ? undefined : file.release()),
      () => undefined,
    )
    throw error
  }
}

// Reads the beginning of a public page or picture, for link previews. One attempt; a failure is not an error.

interface PeekRequest {
  url: string
  /** Reading stops there. */
  maxBytes: number
  /** Ends the attempt. */
  signal: AbortSignal
}

interface PeekedPage {
  bytes: Buffer
  /** Whether there is more. */
  isCut: boolean
  /** The host's Content-Type header; may be empty. */
  contentType: string
}

/** Undefined: the host refuses, is not allowed, or does not answer in time. Never rejects. */
async function peek(
  parts: { pools: Pools; check: TargetCheck; limits: { idleMs: number } },
  { url, maxBytes, signal }: PeekRequest,
): Promise<PeekedPage | undefined> {
  try {
    const answer = await followRedirects(parts, url, signal)
    if (!answer) return undefined
    const { statusCode, headers, body } = answer.response
    body.on('error', () => undefined)
    try {
      if (statusCode !== 200) return undefined
      const start = await readStart(decoded(body, headers['content-encoding']), maxBytes)
      return { ...start, contentType: String(headers['content-type'] ?? '') }
    } finally {
      body.destroy()
    }
  } catch {
    return undefined
  }
}

async function readStart(body: AsyncIterable<Buffer>, maxBytes: number) {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    sizeBytes += chunk.length
    if (sizeBytes > maxBytes) break
  }
  return { bytes: Buffer.concat(chunks).subarray(0, maxBytes), isCut: sizeBytes > maxBytes }
}

// Reads a whole page of a public host as text, for the gateway itself. One attempt, without redirects.

interface PageRequest {
  url: string
  headers: Record<string, string>
  maxBytes: number
  limitMs: number
  signal: AbortSignal
  /** `webhook`: only https. */
  purpose?: Purpose
}

/** Rejects with a sentence that contains no address. */
async function readPage(
  { pools, check }: { pools: Pools; check: TargetCheck },
  { url: text, headers, maxBytes, limitMs, signal, purpose = 'media' }: PageRequest,
): Promise<string> {
  const target = check(text, purpose)
  if (target instanceof TargetRefused) throw target
  const { url } = target
  const deadline = startDeadline(limitMs, signal)
  try {
    const response = await pools.request(url.origin, {
      path: url.pathname + url.search,
      method: 'GET',
      headers: { ...headers, 'accept-encoding': 'identity' },
      signal: deadline.signal,
    })
    const { statusCode, body } = response
    body.on('error', () => undefined)
    try {
      if (statusCode !== 200) throw new PageError(`The host answered ${statusCode}.`)
      return await textOf(decoded(body, response.headers['content-encoding']), maxBytes)
    } finally {
      body.destroy()
    }
  } catch (error) {
    if (error instanceof PageError) throw error
    throw new PageError(failureOf(error, deadline.signal).message, error)
  } finally {
    deadline.clear()
  }
}

class PageError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'PageError'
  }
}

async function textOf(body: AsyncIterable<Buffer>, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of body) {
    sizeBytes += chunk.length
    if (sizeBytes > maxBytes) throw new OutboundError('protocol')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
