// The HTTP server: Fastify with the routes of the API, and what every request has in common.
import { randomBytes } from 'node:crypto'
import { fastifyCookie } from '@fastify/cookie'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  LogController,
} from 'fastify'
import { type AdmissionDeps, createAdmission } from '../../accounts/admission.ts'
import { addAudit, type NoteCall } from '../../accounts/audit.ts'
import type { Auth } from '../../accounts/authenticate.ts'
import type { KeyRateLimitParts } from '../../accounts/key-rate-limit.ts'
import { invalidField } from '../../errors.ts'
import type { Timers } from '../../kernel/async/timers.ts'
import { acceptJsonOnly, addBodyDeadline } from '../../kernel/http/bodies.ts'
import { addClientAddress } from '../../kernel/http/client-address.ts'
import {
  createClientErrorHandler,
  type EarlyAnswers,
  guardSockets,
  noteEarlyAnswers,
  refuseTunnels,
} from '../../kernel/http/client-errors.ts'
import { sendError } from '../../kernel/http/errors.ts'
import { createLagMonitor, type LagMonitor } from '../../kernel/http/lag-monitor.ts'
import { addRequestLog, type ObserveRequest, originForm } from '../../kernel/http/request-log.ts'
import { type ServedPaths, watchServedPaths } from '../../kernel/http/served-paths.ts'
import type { HandledRoute } from '../../request-handler.ts'
import type { Tracer } from '../../tracer.ts'
import { isPageRequest } from './dashboard.ts'
import { addRequestTraces } from './request-traces.ts'
import { addRoutes, type RouteDeps } from './routes.ts'
import { addSandboxProxy, type SandboxWorld } from './sandbox-proxy.ts'

const BODY_LIMIT_BYTES = 256 * 1024
/** Headers and a JSON body must have arrived by then. */
const REQUEST_TIMEOUT_MS = 30_000
/** An upload must have arrived by then: 100 MB at 1.4 Mbit/s. */
const UPLOAD_TIMEOUT_MS = 10 * 60_000
/** How often Node checks for late requests. It checks later than the body deadline, whose answer has a request id. */
const TIMEOUT_CHECK_MS = 1000
/** Longer than any header may be, so that the schema of the route checks each path parameter. */
const MAX_PARAM_LENGTH = 16_384

export interface ServerDeps {
  routes: readonly HandledRoute[]
  auth: Auth
  clock: () => number
  /** 0: no limit. */
  requestsPerSecond: number
  /** Uses of keys on other nodes; absent: there is only one process. */
  sharedUses?: KeyRateLimitParts['sharedUses']
  /** Addresses and networks of proxies whose `X-Forwarded-For` is trusted. */
  trustedProxies: readonly string[]
  /** Serves `/sandbox/v1`; only with `NETWORK=sandbox`. */
  sandbox?: SandboxWorld | undefined
  /** Other APIs that are served as well (docs/compat). */
  dialects?: readonly AddDialect[]
  /** Replaces the default in tests. */
  requestTimeoutMs?: number
  /** Replaces the timers of bodies in tests. */
  bodyTimers?: Timers
  /** Whether routes that need the network are refused. */
  isHeld(): boolean
  /** Why a key may not do this; undefined: it may. */
  refusalOf: AdmissionDeps['refusalOf']
  /** Takes calls for the audit list. */
  noteCall: NoteCall
  /** Replaces the monitor of the process's event loop in tests. */
  lag?: LagMonitor
  /** How callers reach this server; absent: taken from the request. */
  publicUrl?: string | undefined
  /** Answers with the page of the dashboard. */
  sendPage(reply: FastifyReply): FastifyReply
  logger: FastifyBaseLogger
  onRequestDone: ObserveRequest
  /** Absent while tracing is off. */
  trace?: Tracer | undefined
}

/** Adds the routes of a dialect, which are admitted as those of this API. */
export type AddDialect = (app: FastifyInstance, deps: RouteDeps) => void

export function createServer(deps: ServerDeps): FastifyInstance {
  const timeoutMs = deps.requestTimeoutMs ?? REQUEST_TIMEOUT_MS
  const earlyAnswers: EarlyAnswers = new WeakMap()
  const app = createFramework(
    deps.logger,
    timeoutMs,
    createClientErrorHandler((path) => paths.methodsAt(path), earlyAnswers),
  )
  const paths = watchServedPaths(app)
  guardSockets(app)
  refuseTunnels(app, paths.methodsAt)
  noteEarlyAnswers(app, earlyAnswers)
  // Cookies are parsed only where one is needed: most requests have a key instead.
  void app.register(fastifyCookie, { hook: false })
  app.decorateRequest('caller', undefined)
  addClientAddress(app, deps.trustedProxies)
  addCommonHooks(app)
  addRequestLog(app, deps.onRequestDone)
  addAudit(app, deps.clock, deps.noteCall)
  const noteMessage = addRequestTraces(app, deps.trace)
  const draining = closeConnectionsWhileDraining(app)
  addErrorAnswers(app, paths, deps.sendPage)
  acceptJsonOnly(app)
  addBodyDeadline(app, timeoutMs, deps.bodyTimers)
  const lag = deps.lag ?? createLagMonitor()
  app.addHook('onClose', async () => lag.stop())
  const admission = createAdmission({ ...deps, lag })
  const routeDeps = { admission, draining, publicUrl: deps.publicUrl, noteMessage }
  addRoutes(app, routeDeps, deps.routes)
  for (const addDialect of deps.dialects ?? []) addDialect(app, routeDeps)
  if (deps.sandbox) addSandboxProxy(app, { ...deps.sandbox, draining, admit: admission.admit })
  return app
}

const createFramework = (
  logger: FastifyBaseLogger,
  timeoutMs: number,
  clientErrorHandler: ReturnType<typeof createClientErrorHandler>,
): FastifyInstance =>
  Fastify({
    // A child has a level of its own.
    loggerInstance: logger.child({}),
    // The default lines contain the URL, whose query may contain a key.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: Math.max(timeoutMs, UPLOAD_TIMEOUT_MS) + TIMEOUT_CHECK_MS,
    trustProxy: false,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    genReqId: () => `req-${randomBytes(9).toString('base64url')}`,
    rewriteUrl: ({ url = '' }) => originForm(url),
    clientErrorHandler,
    // Node would answer a missing Host header with an empty body; a hook below refuses it in the common form.
    http: {
      requireHostHeader: false,
      headersTimeout: timeoutMs,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    },
    frameworkErrors: (error, request, reply) => void sendError(error, request, reply),
  })

function addCommonHooks(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => void reply.header('X-Request-Id', request.id))
  app.addHook('onRequest', async ({ raw }) => {
    if (raw.httpVersion === '1.1' && raw.headers.host === undefined) throw invalidField('Host', 'required')
    // Node keeps the first one. A proxy in front may have judged the other one (RFC 9112, 3.2).
    if (countHosts(raw.rawHeaders) > 1) throw invalidField('Host', 'given twice')
  })
  // An unknown expectation is ignored; Node would answer 417 with an empty body.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
}

/** Names and values alternate. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count
}

/** A connection that is kept alive would delay the stop, so it is closed with its next answer. Returns a signal of the drain. */
function closeConnectionsWhileDraining(app: FastifyInstance): AbortSignal {
  const draining = new AbortController()
  app.addHook('preClose', (done) => {
    draining.abort()
    done()
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (draining.signal.aborted) reply.header('connection', 'close')
    done(null, payload)
  })
  return draining.signal
}

function addErrorAnswers(app: FastifyInstance, paths: ServedPaths, sendPage: ServerDeps['sendPage']): void {
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply))
  app.setNotFoundHandler((request, reply) =>
    isPageRequest(request) ? sendPage(reply) : sendError(paths.refusal(request, reply), request, reply),
  )
}
