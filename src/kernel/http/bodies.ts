// Bodies of requests: memory for large JSON, deadlines, limits of uploads, and JSON that every parser reads alike.

import { isUtf8 } from 'node:buffer'
import { Readable, Transform } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ArrivingFile } from '../../contract/route.ts'
import { findTextFault } from '../../contract/text-guard.ts'
import { GatewayError, invalidField } from '../../errors.ts'
import { type EntryName, entryName } from '../async/entry-name.ts'
import { ignoreErrors } from '../async/ignore-errors.ts'
import { realTimers, type Timers } from '../async/timers.ts'
import { bodyTooLarge, sendError } from './errors.ts'

// Memory for large JSON bodies. What has arrived counts, not what a header announces, and each account has a share.

/** Every body may be this long. What goes beyond it counts. */
const FREE_BYTES = 256 * 1024
/** Four of the largest bodies, which have a file of 16 MB in base64; an account has half of that. */
const LIMITS = { perAccount: 46 * 1024 * 1024, total: 92 * 1024 * 1024 }
const RETRY_SECONDS = 5

interface ArrivingBody {
  /** Throws if there is no room for these bytes. */
  add(sizeBytes: number): void
  /** May be called again. */
  end(): void
}

export interface ArrivingBodies {
  begin(accountId: number): ArrivingBody
  heldBytes(): number
}

export function createArrivingBodies(): ArrivingBodies {
  const held = new Map<EntryName<'account'>, number>()
  let total = 0

  function change(owner: EntryName<'account'>, sizeBytes: number): void {
    total += sizeBytes
    const own = (held.get(owner) ?? 0) + sizeBytes
    if (own === 0) held.delete(owner)
    else held.set(owner, own)
  }
  return {
    begin(accountId) {
      const owner = entryName('account', accountId)
      let arrived = 0
      let counted = 0
      return {
        add(sizeBytes) {
          arrived += sizeBytes
          const more = Math.max(0, arrived - FREE_BYTES) - counted
          const options = { retryAfterSeconds: RETRY_SECONDS }
          if ((held.get(owner) ?? 0) + more > LIMITS.perAccount)
            throw new GatewayError('too_many_downloads', {}, options)
          if (total + more > LIMITS.total) throw new GatewayError('unavailable', {}, options)
          counted += more
          change(owner, more)
        },
        end() {
          change(owner, -counted)
          counted = 0
        },
      }
    },
    heldBytes: () => total,
  }
}

/** The body of a request, counted as it arrives and until its answer has been sent. */
export function countArriving(
  bodies: ArrivingBodies,
  { caller }: Pick<FastifyRequest, 'caller'>,
  reply: FastifyReply,
  payload: Readable,
): Readable {
  if (!caller) return payload
  const body = bodies.begin(caller.account.id)
  reply.raw.once('close', body.end)
  return checkArriving(payload, body.add)
}

// The deadlines of bodies: JSON must have arrived after a time, and every body must go on arriving. Node enforces a deadline as well, but
// it is that of uploads, and its answer has no request id.

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body is a file, which may take longer. */
    isUpload?: boolean
  }
}

/** An upload of which nothing arrives for this long is ended. */
const STALL_MS = 30_000
const CHECK_MS = 5000

export function addBodyDeadline(app: FastifyInstance, limitMs: number, timers: Timers = realTimers): void {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    // Most bodies have already arrived.
    if (!request.raw.complete) watchBody(request, payload, limitMs, timers)
    done(null, payload)
  })
  // The rest of the body may still come, and would be read as the next request.
  app.addHook('onSend', async ({ raw }, reply) => {
    if (reply.statusCode === 408 && !raw.complete) void reply.header('connection', 'close')
  })
  app.addHook('onResponse', async (request) => closeUnlessComplete(request, limitMs, timers))
}

function watchBody(request: FastifyRequest, payload: Readable, limitMs: number, timers: Timers): void {
  const end = () => {
    stop()
    // Destroying the stream would close the connection before the answer is sent. Without a listener the body is not read.
    if (payload.listenerCount('error') > 0) payload.emit('error', new GatewayError('request_timeout'))
    else request.raw.destroy()
  }
  const stop = request.routeOptions.config.isUpload
    ? watchProgress(request, end, timers)
    : startDeadline(end, limitMs, timers)
  payload.once('end', stop)
  payload.once('close', stop)
}

function startDeadline(end: () => void, limitMs: number, timers: Timers): () => void {
  const timer = timers.setTimeout(end, limitMs)
  timer.unref()
  return () => timers.clearTimeout(timer)
}

function watchProgress({ raw }: FastifyRequest, end: () => void, timers: Timers): () => void {
  let seen = raw.socket.bytesRead
  let quietMs = 0
  const timer = timers.setInterval(() => {
    const { bytesRead } = raw.socket
    // What has arrived but was not read waits for this process, not for the client.
    const isAlive = bytesRead !== seen || raw.readableLength > 0
    seen = bytesRead
    quietMs = isAlive ? 0 : quietMs + CHECK_MS
    if (quietMs >= STALL_MS) end()
  }, CHECK_MS)
  timer.unref()
  return () => timers.clearInterval(timer)
}

/** A request may be answered before its body has arrived. The rest is read, so that the connection can be used again, but not forever. */
function closeUnlessComplete({ raw }: FastifyRequest, limitMs: number, timers: Timers): void {
  if (raw.complete) return
  const stop = startDeadline(() => raw.destroy(), limitMs, timers)
  raw.once('end', stop)
  raw.once('close', stop)
}

// Streams of request bodies that are checked while they arrive. An upload fails once it is longer than allowed, even if its
// `Content-Length` header is wrong.

export function limitUpload(source: Readable, maxBytes: number, tooLarge: () => Error): Readable {
  let seen = 0
  return checkArriving(source, (sizeBytes) => {
    seen += sizeBytes
    if (seen > maxBytes) throw tooLarge()
  })
}

/**
 * A copy of the stream that fails with what `check` throws about the size of a chunk.
 *
 * Not with `pipeline`: that would destroy the request together with the copy, and the sender would get no answer. The rest of
 * a request is read and discarded after its answer.
 */
function checkArriving(source: Readable, check: (sizeBytes: number) => void): Readable {
  // The upload may be aborted before its reader starts, while space for it is reserved.
  const counted = ignoreErrors(
    new Transform({
      transform(chunk: Buffer, _encoding, done) {
        try {
          check(chunk.length)
        } catch (error) {
          return done(error as Error)
        }
        done(null, chunk)
      },
    }),
  )
  const fail = () =>
    counted.destroy(
      new GatewayError('invalid_request', {}, { message: 'The upload ended before it was complete.' }),
    )
  source.once('close', () => {
    if (!source.readableEnded) fail()
  })
  // A body that does not arrive in time fails with a refusal; a connection that breaks, with an error of the system.
  source.on('error', (error) => (error instanceof GatewayError ? counted.destroy(error) : fail()))
  // Unpiped first: `pipe` would do it after this listener, and unpiping pauses the source again.
  counted.once('close', () => source.unpipe(counted).resume())
  return source.pipe(counted)
}

// Request bodies: only JSON in UTF-8, and only JSON that every parser reads in the same way (decision 0017).

export function acceptJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    // `curl -X POST -H 'content-type: application/json'` sends an empty body.
    if (bytes.length === 0) return done(null, undefined)
    if (!isUtf8(bytes as Buffer)) return done(unreadable('is not valid UTF-8'))
    const text = bytes.toString()
    const fault = findTextFault(text)
    if (fault)
      return done(fault.path === '' ? unreadable(fault.message) : invalidField(fault.path, fault.message))
    return void parse(request, text, done)
  })
}

/** A refusal of the body as a whole. */
const unreadable = (message: string): GatewayError =>
  new GatewayError(
    'invalid_request',
    { details: [{ path: '', message }] },
    { message: `The request is not valid: the body ${message}` },
  )

// Uploads: bodies of any media type that are read as a stream, with a limit on their length.

/** A separate scope, where every body is a stream, even JSON. */
export function addUploadScope(app: FastifyInstance, addRoutes: (scope: FastifyInstance) => void): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, bytes, done) => done(null, bytes))
    // The framework refuses a malformed type as one that the server does not accept; here every type is accepted.
    scope.setErrorHandler((error, request, reply) =>
      sendError(isMalformedType(error) ? malformedType() : error, request, reply),
    )
    addRoutes(scope)
  })
}

const isMalformedType = (error: unknown): boolean =>
  (error as { code?: string }).code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE'
const malformedType = () => invalidField('Content-Type', 'expected <type>/<subtype>, such as image/png')

/** A form would be stored with its envelope, and the recipient could not open it. */
const MULTIPART = /^\s*multipart\//i
const multipart = () =>
  invalidField(
    'Content-Type',
    'forms (multipart) are not accepted: the body is the file itself, as with curl --data-binary @file',
  )

/** The file of a request. `bytes` must be destroyed at the end, or the next request of the connection hangs. */
export function arrivingFile(
  request: FastifyRequest,
  maxBytes: number,
): ArrivingFile & { bytes: Readable; contentLength: string | undefined } {
  const contentLength = request.headers['content-length']
  const tooLarge = () => new GatewayError('body_too_large', {}, { message: bodyTooLarge(maxBytes) })
  if (Number(contentLength) > maxBytes) throw tooLarge()
  if (MULTIPART.test(request.headers['content-type'] ?? '')) throw multipart()
  return {
    bytes: limitUpload((request.body as Readable | undefined) ?? Readable.from([]), maxBytes, tooLarge),
    contentType: request.headers['content-type'],
    contentLength,
    sizeBytes: contentLength === undefined ? undefined : Number(contentLength),
  }
}
