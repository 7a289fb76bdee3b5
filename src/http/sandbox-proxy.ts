// `/sandbox/v1` on the gateway: an account's key opens it, and the sandbox network answers (decisions 9).
import { setMaxListeners } from 'node:events'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { BASE_PATHS, fullPath, isFileAnswer, type Route } from '../contract/route.ts'
import { sandboxRoutes } from '../contract/sandbox.ts'
import { GatewayError } from '../errors.ts'
import type { Auth } from './auth.ts'
import { parseInput } from './parse.ts'

/** Media comes back as it is, everything else as JSON. */
interface SandboxAnswer {
  status: number
  contentType: string
  bytes: Uint8Array
}

export interface SandboxProxyDeps {
  auth: Auth
  forward(call: { method: string; path: string; body: unknown }): Promise<SandboxAnswer>
  /** The login code that an instance of the account shows right now. */
  loginCode(request: FastifyRequest, instanceName: string): Promise<string>
  /** Resolves when the instance is logged in, or has not become so in time. */
  untilLoggedIn(request: FastifyRequest, instanceName: string): Promise<void>
}

/** Media comes in the body here, in base64. */
const BODY_LIMIT_BYTES = 150 * 1024 * 1024

/**
 * What a phone was sent is anybody's: on the dashboard's own origin no file may become a page. Pictures and sounds are shown
 * all the same.
 */
const INERT = {
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'private, no-store',
}

export function addSandboxProxy(app: FastifyInstance, deps: SandboxProxyDeps): void {
  const draining = new AbortController()
  // One listener for each call that waits right now, however many.
  setMaxListeners(0, draining.signal)
  app.addHook('preClose', (done) => {
    draining.abort(new GatewayError('unavailable'))
    done()
  })
  for (const route of Object.values<Route>(sandboxRoutes)) addRoute(app, deps, route, draining.signal)
}

/** Whoever waits for news of the world does not hold up the end of the server. */
async function unlessDraining<T>(work: Promise<T>, draining: AbortSignal): Promise<T> {
  const ended = Promise.withResolvers<never>()
  const end = () => ended.reject(draining.reason)
  if (draining.aborted) end()
  draining.addEventListener('abort', end)
  try {
    return await Promise.race([work, ended.promise])
  } finally {
    draining.removeEventListener('abort', end)
  }
}

/** The sandbox judges bodies itself; the address is judged here, so that no other one can be reached through it. */
function addRoute(app: FastifyInstance, deps: SandboxProxyDeps, route: Route, draining: AbortSignal): void {
  app.route({
    method: route.method,
    url: fullPath(route).replaceAll(/\{(\w+)\}/g, ':$1'),
    bodyLimit: BODY_LIMIT_BYTES,
    async onRequest(request) {
      request.caller = await deps.auth.caller(request, route)
    },
    async handler(request, reply) {
      parseInput({ ...route, method: 'GET' }, request)
      const path = request.url.slice(BASE_PATHS.sandbox.length)
      const instanceName =
        route.id === sandboxRoutes.sandboxScan.id ? scannedInstance(request.body) : undefined
      const body =
        instanceName === undefined ? request.body : { qr: await deps.loginCode(request, instanceName) }
      const asked = deps.forward({ method: request.method, path, body })
      const answer = await (route.method === 'GET' ? unlessDraining(asked, draining) : asked)
      // Whoever made a phone scan wants to send next.
      if (instanceName !== undefined && answer.status === 200) await deps.untilLoggedIn(request, instanceName)
      if (isFileAnswer(route.answer)) reply.headers(INERT)
      return reply.code(answer.status).type(answer.contentType).send(Buffer.from(answer.bytes))
    },
  })
}

/** A phone scans what an instance shows: the name is turned into the code here, where instances are known. */
function scannedInstance(body: unknown): string | undefined {
  const parsed = sandboxRoutes.sandboxScan.body.safeParse(body)
  return parsed.success ? parsed.data.instanceName : undefined
}
