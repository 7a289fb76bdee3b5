// The HTTP server: the table of routes on Fastify, with authentication, limits, validation and errors around each.
import { randomBytes } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { Readable } from 'node:stream'
import { fastifyCookie } from '@fastify/cookie'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import {
  BASE_PATHS,
  fullPath,
  isFileAnswer,
  isStreamAnswer,
  type Route,
  type StreamContent,
} from '../contract/route.ts'
import type { Caller } from '../domain/caller.ts'
import { mayUse } from '../domain/caller.ts'
import { hasAccess } from '../domain/subscription.ts'
import { GatewayError, invalidField } from '../errors.ts'
import type { Auth } from './auth.ts'
import { isPageRequest } from './dashboard.ts'
import { answerClientError, sendError } from './errors.ts'
import type { Handlers, RequestContext } from './handler.ts'
import { parseInput } from './parse.ts'
import { preferredWaitSeconds } from './prefer.ts'
import { createPressure, type Pressure } from './pressure.ts'
import { createRateLimit, type RateLimit, rateLimitHeaders } from './rate-limit.ts'

const BODY_LIMIT_BYTES = 256 * 1024
/** The whole request must have arrived by then; off by default in the framework. */
const REQUEST_TIMEOUT_MS = 30_000
/** Longer than any header may be, so that it is a route's schema that judges its path. */
const MAX_PARAM_LENGTH = 16_384
const OVERLOAD_RETRY_SECONDS = 2
const PRINTABLE = /^[\x20-\x7e]{1,255}$/

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined
  }
}

export interface ServerDeps {
  routes: readonly Route[]
  handlers: Handlers
  auth: Auth
  clock: () => number
  requestsPerSecond: number
  /** Replaces the watch over the process's own event loop. */
  pressure?: Pressure
  /** Answers with the dashboard's page, which finds its way by the address. */
  sendPage(reply: FastifyReply): FastifyReply
  logger: FastifyBaseLogger
  onRequestDone(labels: { route: string; method: string; status: number }, seconds: number): void
}

export function createServer(deps: ServerDeps): FastifyInstance {
  const app = Fastify({
    loggerInstance: deps.logger,
    // The default lines hold the URL, and with it a key in the query.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    trustProxy: false,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    genReqId: () => `req-${randomBytes(9).toString('base64url')}`,
    clientErrorHandler: answerClientError,
    // Node would refuse such a request itself, with an empty body; ours is refused below, in the common form.
    http: { requireHostHeader: false },
    frameworkErrors: (error, request, reply) => void sendError(error, request, reply),
  })
  // Most requests come with a key: cookies are read where one is looked for, not in a hook of every request.
  void app.register(fastifyCookie, { hook: false })
  app.decorateRequest('caller', undefined)
  app.addHook('onRequest', async (request, reply) => void reply.header('X-Request-Id', request.id))
  app.addHook('onRequest', async ({ raw }) => {
    if (raw.httpVersion === '1.1' && raw.headers.host === undefined) throw invalidField('Host', 'required')
  })
  // An expectation that we do not know is passed over, where Node would answer 417 with an empty body.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.addHook('onResponse', async (request, reply) => finish(deps, request, reply))
  const draining = new AbortController()
  closeAnsweredConnections(app, draining)
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply))
  app.setNotFoundHandler((request, reply) =>
    isPageRequest(request)
      ? deps.sendPage(reply)
      : sendError(unknownAddress(deps.routes, request, reply), request, reply),
  )
  takeJsonOnly(app)
  const limits = createKeyLimits(deps)
  const pressure = deps.pressure ?? createPressure()
  app.addHook('onClose', async () => pressure.stop())
  const routeDeps = { ...deps, draining: draining.signal, pressure }
  for (const route of deps.routes) addRoute(app, routeDeps, limits, route)
  return app
}

/** While the server drains, a connection whose request was answered is closed: kept alive, it would hold up the end. */
function closeAnsweredConnections(app: FastifyInstance, draining: AbortController): void {
  // One listener for each stream that is open right now, however many.
  setMaxListeners(0, draining.signal)
  app.addHook('preClose', (done) => {
    draining.abort()
    done()
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (draining.signal.aborted) reply.header('connection', 'close')
    done(null, payload)
  })
}

function takeJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    // `curl -X POST -H 'content-type: application/json'` sends no body where none is needed.
    if (text === '') done(null, undefined)
    else void parse(request, text as string, done)
  })
}

/** 404, or 405 where the address exists with another method. */
function unknownAddress(
  routes: readonly Route[],
  request: FastifyRequest,
  reply: FastifyReply,
): GatewayError {
  const path = request.url.split('?')[0] ?? ''
  const methods = routes.filter((route) => pathPattern(route).test(path)).map((route) => route.method)
  if (methods.length === 0) return new GatewayError('not_found')
  reply.header('Allow', methods.join(', '))
  return new GatewayError('method_not_allowed')
}

const pathPattern = (route: Route): RegExp =>
  new RegExp(`^${fullPath(route).replaceAll(/\{\w+\}/g, '[^/]+')}$`)

interface RouteDeps extends ServerDeps {
  pressure: Pressure
  /** Aborted when the server is to end. */
  draining: AbortSignal
}

function addRoute(app: FastifyInstance, deps: RouteDeps, limits: KeyLimits, route: Route): void {
  const handle = deps.handlers[route.id as keyof Handlers] as (
    context: unknown,
    input: unknown,
  ) => Promise<unknown>
  app.route({
    method: route.method,
    url: fullPath(route).replaceAll(/\{(\w+)\}/g, ':$1'),
    // Before the body is read: whoever may not call is not listened to.
    onRequest: (request, reply) => admit(deps, limits, route, request, reply),
    async handler(request, reply) {
      const context: RequestContext & { caller: Caller | undefined; request: FastifyRequest } = {
        caller: request.caller,
        request,
        idempotencyKey: route.idempotent ? idempotencyKey(request) : undefined,
        waitSeconds: route.waits ? preferredWaitSeconds(request.headers.prefer) : undefined,
        setHeader: (name, value) => void reply.header(name, value),
        header: (name) => [request.headers[name]].flat()[0],
        // Made when somebody asks for it: most answers are given before anyone could hang up.
        get ended() {
          return whenOver(reply, deps.draining)
        },
        recheck: () => recheck(deps, route, request),
      }
      const answer = await handle(context, parseInput(route, request))
      if (isStreamAnswer(route.answer)) return sendStream(reply, answer as StreamContent)
      if (!isFileAnswer(route.answer)) return answer
      const { bytes, contentType } = answer as { bytes: Uint8Array; contentType: string }
      return reply.type(contentType).send(Buffer.from(bytes))
    },
  })
}

/** One listener on each side, both gone with the answer: `AbortSignal.any` would keep more, for longer. */
function whenOver(reply: FastifyReply, draining: AbortSignal): AbortSignal {
  const over = new AbortController()
  const end = () => {
    draining.removeEventListener('abort', end)
    over.abort()
  }
  draining.addEventListener('abort', end)
  reply.raw.once('close', end)
  return over.signal
}

/** Not to be kept by anything in between, nor held back until there is more of it. */
const sendStream = (reply: FastifyReply, { chunks, contentType }: StreamContent): FastifyReply =>
  reply
    .headers({ 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' })
    .type(contentType)
    .send(Readable.from(chunks, { objectMode: false }))

async function admit(
  deps: RouteDeps,
  limits: KeyLimits,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (route.area === 'system' || route.area === 'session') return
  if (route.idempotent && deps.pressure.isTooHigh()) {
    throw new GatewayError('unavailable', {}, { retryAfterSeconds: OVERLOAD_RETRY_SECONDS })
  }
  if (route.area === 'admin') {
    deps.auth.operator(request)
    limits.take(reply, 'operator', null)
    return
  }
  const caller = await deps.auth.caller(request, route)
  request.caller = caller
  limits.take(reply, String(caller.keyId), caller.plan.requests_per_second)
  requireAccess(deps, route, caller)
}

/** Whether whoever began a long answer may still have it. */
async function recheck(deps: ServerDeps, route: Route, request: FastifyRequest): Promise<void> {
  requireAccess(deps, route, await deps.auth.caller(request, route))
}

function requireAccess(deps: ServerDeps, route: Route, caller: Caller): void {
  if (!route.openWithoutSubscription && !hasAccess(caller.account, deps.clock())) {
    throw new GatewayError('subscription_inactive')
  }
  if (route.scopes && !mayUse(caller, route.scopes))
    throw new GatewayError('scope_missing', { needed: route.scopes })
}

interface KeyLimits {
  take(reply: FastifyReply, key: string, planLimit: number | null): void
}

/** A bucket per key; plans with a rate of their own have buckets of their own size. */
function createKeyLimits({
  requestsPerSecond,
  clock,
}: Pick<ServerDeps, 'requestsPerSecond' | 'clock'>): KeyLimits {
  const byRate = new Map<number, RateLimit>()
  return {
    take(reply, key, planLimit) {
      const perSecond = Math.min(planLimit ?? Infinity, requestsPerSecond || Infinity)
      if (perSecond === Infinity) return
      const burst = perSecond * 2
      const limit = byRate.get(perSecond) ?? createRateLimit(perSecond, burst)
      byRate.set(perSecond, limit)
      const verdict = limit.take(key, clock())
      reply.headers(rateLimitHeaders(perSecond, burst, verdict))
      if (!verdict.allowed) {
        throw new GatewayError('rate_limited', {}, { retryAfterSeconds: verdict.retryAfterSeconds })
      }
    },
  }
}

function idempotencyKey(request: FastifyRequest): string | undefined {
  const header = request.headers['idempotency-key']
  if (header === undefined) return undefined
  if (typeof header !== 'string' || !PRINTABLE.test(header)) {
    throw invalidField('Idempotency-Key', 'expected 1 to 255 printable ASCII characters')
  }
  return header
}

function finish(deps: ServerDeps, request: FastifyRequest, reply: FastifyReply): void {
  const route = request.routeOptions.url ?? 'unknown'
  const labels = { route, method: request.method, status: reply.statusCode }
  deps.onRequestDone(labels, reply.elapsedTime / 1000)
  // Probes and scrapes would drown the log.
  const level = Object.values(BASE_PATHS).some((base) => base !== '' && route.startsWith(base))
    ? 'info'
    : 'debug'
  request.log[level](
    {
      ...labels,
      account: request.caller?.account.id,
      instance: instanceNamed(request),
      ms: Math.round(reply.elapsedTime * 10) / 10,
    },
    'request',
  )
}

function instanceNamed(request: FastifyRequest): string | undefined {
  const from = (part: unknown): unknown =>
    (part as { instanceName?: unknown } | undefined | null)?.instanceName
  const name = from(request.query) ?? from(request.body)
  return typeof name === 'string' ? name.slice(0, 100) : undefined
}
