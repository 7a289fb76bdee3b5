// Adds a route to the server: admission, parsing, the handler, and its result as JSON, a file or a stream.
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Admission } from '../../accounts/admission.ts'
import type { Caller } from '../../accounts/caller.ts'
import {
  type FileContent,
  fullPath,
  isFileAnswer,
  isStreamAnswer,
  type Route,
  type StreamContent,
  type StreamedFile,
} from '../../contract/route.ts'
import { invalidField } from '../../errors.ts'
import { ignoreErrors } from '../../kernel/async/ignore-errors.ts'
import { onAbort } from '../../kernel/async/waiting.ts'
import { addUploadScope, arrivingFile } from '../../kernel/http/bodies.ts'
import { originOf, requireCheckedOrigin } from '../../kernel/http/origin.ts'
import { parseInput } from '../../kernel/http/parse-input.ts'
import { preferredWaitSeconds } from '../../kernel/http/prefer.ts'
import { cutIfStalled, STALL_MS } from '../../kernel/http/transfers.ts'
import type { HandledRoute, RequestContext } from '../../request-handler.ts'
import type { NoteMessage } from './request-traces.ts'

const PRINTABLE = /^[\x20-\x7e]{1,255}$/

export interface RouteDeps {
  admission: Admission
  /** Aborted when the server begins to drain. */
  draining: AbortSignal
  /** How callers reach this server; absent: taken from the request. */
  publicUrl?: string | undefined
  /** Absent while tracing is off. */
  noteMessage?: NoteMessage | undefined
}

export function addRoutes(app: FastifyInstance, deps: RouteDeps, handled: readonly HandledRoute[]): void {
  for (const each of handled) if (!each.route.upload) addRoute(app, deps, each)
  addUploadScope(app, (scope) => {
    for (const each of handled) if (each.route.upload) addRoute(scope, deps, each)
  })
}

function addRoute(app: FastifyInstance, deps: RouteDeps, { route, handle }: HandledRoute): void {
  app.route({
    method: route.method,
    url: frameworkPath(route),
    ...(route.upload ? { bodyLimit: route.upload.maxBytes, config: { isUpload: true } } : {}),
    // Before the body is read: the body of a refused request is ignored.
    onRequest: (request, reply) => deps.admission.admit(route, request, reply),
    async handler(request, reply) {
      const context = createContext(deps, route, request, reply)
      const answer = await (route.upload ? handleUpload : handleParsed)(
        deps,
        { route, handle },
        context,
        request,
      )
      return sendAnswer(route, reply, answer)
    },
  })
}

async function handleParsed(
  { admission }: RouteDeps,
  { route, handle }: HandledRoute,
  context: AnyContext,
  request: FastifyRequest,
): Promise<unknown> {
  const input = parseInput(route, request)
  await admission.confine(route, context.caller, input)
  return handle(context as never, input as never)
}

/** The body is not JSON: everything else is parsed as in a request without a body. */
async function handleUpload(
  { admission }: RouteDeps,
  { route, handle }: HandledRoute,
  context: AnyContext,
  request: FastifyRequest,
): Promise<unknown> {
  const input = parseInput({ ...route, method: 'GET' }, request)
  await admission.confine(route, context.caller, input)
  const file = arrivingFile(request, route.upload?.maxBytes ?? 0)
  try {
    return await handle(context as never, { ...input, file } as never)
  } finally {
    file.bytes.destroy()
  }
}

/** `{id}` in the contract is `:id` for the framework. */
export const frameworkPath = (route: Route): string => fullPath(route).replaceAll(/\{(\w+)\}/g, ':$1')

export type AnyContext = RequestContext & { caller: Caller | undefined; request: FastifyRequest }

export const createContext = (
  { admission, draining, publicUrl, noteMessage }: RouteDeps,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): AnyContext => ({
  caller: request.caller,
  request,
  idempotencyKey: route.idempotent ? idempotencyKey(request) : undefined,
  waitSeconds: route.waits ? preferredWaitSeconds(request.headers.prefer) : undefined,
  traceMessage: noteMessage && ((message) => noteMessage(request, message)),
  setHeader: (name, value) => void reply.header(name, value),
  header: (name) => [request.headers[name]].flat()[0],
  // Created on first use: most answers are sent at once and need no signal.
  get ended() {
    return whenEnded(reply, draining)
  },
  onClosed: (listener) => void (reply.raw.closed ? listener() : reply.raw.once('close', listener)),
  recheck: () => admission.recheck(route, request),
  get origin() {
    return originOf(request, publicUrl)
  },
  get checkedOrigin() {
    return requireCheckedOrigin(request, publicUrl)
  },
})

function sendAnswer(route: Route, reply: FastifyReply, answer: unknown): unknown {
  if (isStreamAnswer(route.answer)) return sendStream(reply, answer as StreamContent)
  if (isFileAnswer(route.answer)) return sendFile(reply, answer as FileContent | StreamedFile)
  return route.area === 'system' ? answer : { success: true, ...(answer as object) }
}

/** Without a copy: a file may have a hundred megabytes. */
export function sendFile(reply: FastifyReply, file: FileContent | StreamedFile): FastifyReply {
  void reply.type(file.contentType)
  if ('bytes' in file) {
    const { buffer, byteOffset, byteLength } = file.bytes
    return reply.send(Buffer.from(buffer, byteOffset, byteLength))
  }
  const chunks = cutIfStalled(file.chunks, reply.raw, STALL_MS)
  return reply
    .header('content-length', file.sizeBytes)
    .send(ignoreErrors(Readable.from(chunks, { objectMode: false })))
}

/** Proxies must neither cache nor buffer the stream. */
const sendStream = (reply: FastifyReply, { chunks, contentType }: StreamContent): FastifyReply =>
  reply
    .headers({ 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' })
    .type(contentType)
    .send(ignoreErrors(Readable.from(chunks, { objectMode: false })))

/** Two listeners, both removed with the answer: `AbortSignal.any` would hold more, for longer. */
function whenEnded(reply: FastifyReply, draining: AbortSignal): AbortSignal {
  const ended = new AbortController()
  const removeListener = onAbort(draining, () => ended.abort())
  reply.raw.once('close', () => {
    removeListener()
    ended.abort()
  })
  return ended.signal
}

function idempotencyKey(request: FastifyRequest): string | undefined {
  const header = request.headers['idempotency-key']
  if (header === undefined) return undefined
  if (typeof header !== 'string' || !PRINTABLE.test(header)) {
    throw invalidField('Idempotency-Key', 'expected 1 to 255 printable ASCII characters')
  }
  return header
}
