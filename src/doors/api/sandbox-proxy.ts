// `/sandbox/v1` on the gateway: requests are admitted and parsed here, then forwarded to the sandbox network (decision 0080).
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../accounts/caller.ts'
import { BASE_PATHS, isFileAnswer, type Route, SANDBOX_JSON_BYTES } from '../../contract/route.ts'
import { sandboxRoutes } from '../../contract/sandbox.ts'
import { GatewayError, invalidField } from '../../errors.ts'
import { ignoreErrors } from '../../kernel/async/ignore-errors.ts'
import { onAbort } from '../../kernel/async/waiting.ts'
import { addUploadScope, arrivingFile } from '../../kernel/http/bodies.ts'
import { parseInput } from '../../kernel/http/parse-input.ts'
import { frameworkPath } from './routes.ts'

/** Files are returned as a stream, everything else as JSON. */
interface SandboxAnswer {
  status: number
  contentType: string
  contentLength: string | undefined
  body: Readable
}

interface SandboxCall {
  method: string
  path: string
  /** The id of the calling account, which sees its own phones and groups, or the operator, who sees all. */
  caller: number | 'operator'
  requestId: string
  /** JSON, or the bytes of an upload with their media type. */
  json?: unknown
  upload?: { bytes: Readable; contentType: string; contentLength: string | undefined }
  signal?: AbortSignal
}

export interface SandboxWorld {
  forward(call: SandboxCall): Promise<SandboxAnswer>
  /** The login code that the instance currently shows. */
  loginCode(caller: Caller, instanceName: string): Promise<string>
  /** Resolves when the instance is logged in, or after a timeout. */
  waitForLogin(caller: Caller, instanceName: string): Promise<void>
}

export interface SandboxProxyDeps extends SandboxWorld {
  admit(route: Route, request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Aborted when the server begins to drain. */
  draining: AbortSignal
}

/** A phone may have received any file: on the origin of the dashboard no file may run as a page. Images and audio still work. */
const FILE_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'private, no-store',
}

export function addSandboxProxy(app: FastifyInstance, deps: SandboxProxyDeps): void {
  const routes = Object.values<Route>(sandboxRoutes)
  for (const route of routes.filter(({ upload }) => !upload)) addRoute(app, deps, route, SANDBOX_JSON_BYTES)
  addUploadScope(app, (scope) => {
    for (const route of routes) if (route.upload) addRoute(scope, deps, route, route.upload.maxBytes)
  })
}

function addRoute(app: FastifyInstance, deps: SandboxProxyDeps, route: Route, bodyLimit: number): void {
  app.route({
    method: route.method,
    url: frameworkPath(route),
    bodyLimit,
    config: { isUpload: route.upload !== undefined },
    onRequest: (request, reply) => deps.admit(route, request, reply),
    async handler(request, reply) {
      // The whole request is checked here, so that only declared paths of the sandbox can be reached.
      parseInput(route, request)
      const call = callOf(request)
      const instanceName = route.id === sandboxRoutes.sandboxScan.id ? scannedInstance(request) : undefined
      const answer = await forwardRequest(deps, route, request, call, instanceName)
      // The sandbox may end while the answer is read.
      ignoreErrors(answer.body)
      if (instanceName === undefined || answer.status !== 200) return sendForwarded(route, reply, answer)
      const scanned = Buffer.concat(await answer.body.toArray())
      // After a scan the caller wants to send, so the answer waits for the login. Before a passkey is used, there will be none.
      if (isLinked(scanned)) await deps.waitForLogin(ownerOf(request), instanceName)
      return reply.type(answer.contentType).send(scanned)
    },
  })
}

const callOf = (request: FastifyRequest): SandboxCall => ({
  method: request.method,
  path: request.url.slice(BASE_PATHS.sandbox.length),
  caller: request.caller?.account.id ?? 'operator',
  requestId: request.id,
})

async function forwardRequest(
  deps: SandboxProxyDeps,
  route: Route,
  request: FastifyRequest,
  call: SandboxCall,
  instanceName: string | undefined,
): Promise<SandboxAnswer> {
  if (route.upload) return forwardUpload(deps, request, call, route.upload.maxBytes)
  if (instanceName !== undefined) {
    return deps.forward({ ...call, json: { qr: await deps.loginCode(ownerOf(request), instanceName) } })
  }
  const json = { ...call, json: request.body }
  const mayWait = route.method === 'GET' && !isFileAnswer(route.answer)
  return mayWait ? forwardUntilDraining(deps, json) : deps.forward(json)
}

/** A long poll must not delay the stop of the server. */
async function forwardUntilDraining(deps: SandboxProxyDeps, call: SandboxCall): Promise<SandboxAnswer> {
  const ended = new AbortController()
  const removeListener = onAbort(deps.draining, () => ended.abort(new GatewayError('unavailable')))
  try {
    return await deps.forward({ ...call, signal: ended.signal })
  } finally {
    removeListener()
  }
}

/** The bytes are streamed to the sandbox network and not buffered here. */
async function forwardUpload(
  deps: SandboxProxyDeps,
  request: FastifyRequest,
  call: SandboxCall,
  maxBytes: number,
): Promise<SandboxAnswer> {
  const { bytes, contentType = 'application/octet-stream', contentLength } = arrivingFile(request, maxBytes)
  try {
    return await deps.forward({ ...call, upload: { bytes, contentType, contentLength } })
  } finally {
    // The sandbox may refuse an upload before it has read it. The rest must be read, or the next request of the connection hangs.
    bytes.destroy()
  }
}

function sendForwarded(route: Route, reply: FastifyReply, answer: SandboxAnswer): FastifyReply {
  if (isFileAnswer(route.answer)) reply.headers(FILE_HEADERS)
  if (answer.contentLength !== undefined) reply.header('content-length', answer.contentLength)
  return reply.code(answer.status).type(answer.contentType).send(answer.body)
}

const isLinked = (answer: Buffer): boolean =>
  sandboxRoutes.sandboxScan.answer.parse(JSON.parse(answer.toString())).device !== null

/** The instance whose code a phone scans: the gateway replaces its name by the code, because only the gateway knows instances. */
function scannedInstance({ body }: FastifyRequest): string | undefined {
  const parsed = sandboxRoutes.sandboxScan.body.safeParse(body)
  return parsed.success ? parsed.data.instanceName : undefined
}

function ownerOf({ caller }: FastifyRequest): Caller {
  if (caller) return caller
  throw invalidField(
    'instanceName',
    'needs the key of the account that owns the instance; with the operator key, give qr instead',
  )
}
