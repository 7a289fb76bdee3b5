// The only way out of the process but for the messaging network: posts to webhook receivers and downloads of media, both
// to public hosts alone (decisions 1, 6, 8; reliability D).
import { Agent } from 'undici'
import { createAddressGuard } from './address-guard.ts'
import { parseAllowTargets } from './allow-list.ts'
import { createConnector } from './connector.ts'
import { type DownloadLimits, fetchToFile, tooLarge } from './download.ts'
import { createDownloadDirectory } from './download-directory.ts'
import { OutboundError, sentenceOfFailure } from './failure.ts'
import {
  createMediaCache,
  type DownloadFailure,
  type HeldFile,
  isFailure,
  type MediaCache,
} from './media-cache.ts'
import { judgeType, type MediaKind } from './media-type.ts'
import { type PostLimits, type PostOutcome, type PostRequest, post } from './post.ts'
import { createDnsResolve, type Resolve, resolveBySystem } from './resolver.ts'
import { createTargetCheck, type TargetCheck, TargetRefused } from './target.ts'

export interface OutboundOptions {
  /** Addresses, blocks and host names that pass although they are private. */
  allowTargets: readonly string[]
  /** PEM certificates of further authorities. */
  extraCa: readonly string[]
  /** Where downloads are kept while they are in use. */
  directory: string
  /** Under which this gateway itself is reached: never a target. */
  ownUrls?: readonly string[]
  /** Replaces the name servers. */
  resolver?: Resolve
  limits?: Partial<OutboundLimits>
}

export interface OutboundLimits extends PostLimits, DownloadLimits {
  connectMs: number
  bytes: Readonly<Record<MediaKind, number>>
  /** How long a downloaded file serves others who want the same URL. */
  keepMs: number
  idleBytes: number
}

export interface DownloadRequest {
  url: string
  kind: MediaKind
  /** The sender's word for the type, in place of what the bytes say. */
  mimetype?: string | undefined
  /** Ends the waiting; rejects with `OutboundError` of kind `stopped`. */
  signal?: AbortSignal
}

export interface MediaFile {
  path: string
  sizeBytes: number
  mimetype: string
  /** To be called once the file has been read. */
  release(): Promise<void>
}

export interface Outbound {
  /** By form alone, at once; what a name resolves to is judged at each connect. */
  check: TargetCheck
  /** Never rejects. */
  post(request: PostRequest): Promise<PostOutcome>
  /** Rejects only for faults on our side: a disk that is full, or the stop of the server. */
  download(request: DownloadRequest): Promise<MediaFile | DownloadFailure>
  /** Breaks off what is under way and removes the files. */
  close(): Promise<void>
}

const MB = 1024 * 1024

/** To one host, whoever posts there. */
const MAX_CONNECTIONS = 100
/** A connection that nobody uses is closed after this, and after this at the latest where the host asks for longer. */
const IDLE_MS = 10_000
const LONGEST_IDLE_MS = 60_000

/** Decisions 6 and 8, where they name a figure. */
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
  const allow = parseAllowTargets(options.allowTargets)
  const guard = createAddressGuard(allow.blocks)
  const check = createTargetCheck({ guard, allow, ownUrls: options.ownUrls ?? [] })
  const agent = new Agent({
    // Receivers and media hosts are strangers: one request at a time on a connection, and nothing newer than needed.
    allowH2: false,
    pipelining: 1,
    connections: MAX_CONNECTIONS,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: LONGEST_IDLE_MS,
    connect: createConnector({
      guard,
      allow,
      resolve: options.resolver ?? createDnsResolve(),
      resolveAllowed: options.resolver ?? resolveBySystem,
      extraCa: options.extraCa,
      connectMs: limits.connectMs,
    }),
  })
  const stop = new AbortController()
  const directory = createDownloadDirectory(options.directory)
  const parts = { agent, check, limits, directory: directory.path, stop: stop.signal }
  const cache = createMediaCache({
    fetch: (href, limitBytes) => fetchToFile(parts, href, limitBytes),
    keepMs: limits.keepMs,
    idleBytes: limits.idleBytes,
  })
  return {
    check,
    post: (request) => post(parts, request),
    download: (request) => download(cache, check, limits.bytes[request.kind], request),
    async close() {
      stop.abort()
      cache.clear()
      await agent.destroy()
      await directory.remove()
    },
  }
}

async function download(
  cache: MediaCache,
  check: TargetCheck,
  limitBytes: number,
  { url, kind, mimetype, signal }: DownloadRequest,
): Promise<MediaFile | DownloadFailure> {
  const target = check(url, 'media')
  if (target instanceof TargetRefused)
    return { failed: 'media_unavailable', message: sentenceOfFailure('not_allowed') }
  target.url.hash = ''
  const file = await unlessStopped(cache.hold(target.url.href, limitBytes), signal)
  if (isFailure(file)) return file
  const judged = await judge(file, kind, limitBytes, mimetype)
  if (isFailure(judged)) {
    await file.release()
    return judged
  }
  const { path, sizeBytes, release } = file
  return { path, sizeBytes, mimetype: judged.mimetype, release }
}

/** The size is judged again: another may have asked for the same file under a wider limit. */
async function judge(file: HeldFile, kind: MediaKind, limitBytes: number, mimetype: string | undefined) {
  if (file.sizeBytes > limitBytes) return tooLarge(limitBytes)
  return judgeType(file.path, kind, { mimetype, contentType: file.contentType })
}

/** A download goes on without the one who stopped waiting: others may be waiting too. */
async function unlessStopped(
  holding: Promise<HeldFile | DownloadFailure>,
  signal: AbortSignal | undefined,
): Promise<HeldFile | DownloadFailure> {
  if (!signal) return holding
  const stopped = Promise.withResolvers<never>()
  const onStop = () => stopped.reject(new OutboundError('stopped'))
  if (signal.aborted) onStop()
  signal.addEventListener('abort', onStop, { once: true })
  try {
    return await Promise.race([holding, stopped.promise])
  } catch (error) {
    void holding.then(
      (file) => (isFailure(file) ? undefined : file.release()),
      () => undefined,
    )
    throw error
  } finally {
    signal.removeEventListener('abort', onStop)
  }
}
