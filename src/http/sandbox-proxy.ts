// `/sandbox/v1` on the gateway: an account's key opens it, and the sandbox network answers (decisions 9).
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Route } from '../contract/route.ts'
import { GatewayError } from '../errors.ts'
import type { Auth } from './auth.ts'

export interface SandboxProxyDeps {
  auth: Auth
  forward(call: { method: string; path: string; body: unknown }): Promise<{ status: number; body: unknown }>
  /** The login code that an instance of the account shows right now. */
  loginCode(request: FastifyRequest, instanceName: string): Promise<string>
}

const PREFIX = '/sandbox/v1'
/** Media comes in the body here, in base64. */
const BODY_LIMIT_BYTES = 150 * 1024 * 1024
const ANY_KEY = { id: 'sandbox', area: 'api' } as Route

export function addSandboxProxy(app: FastifyInstance, deps: SandboxProxyDeps): void {
  app.route({
    method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    url: `${PREFIX}/*`,
    bodyLimit: BODY_LIMIT_BYTES,
    async onRequest(request) {
      request.caller = await deps.auth.caller(request, ANY_KEY)
    },
    async handler(request, reply) {
      const path = request.url.slice(PREFIX.length)
      const answer = await deps.forward({
        method: request.method,
        path,
        body: await withCode(deps, path, request),
      })
      return reply.code(answer.status).send(answer.body)
    },
  })
}

/** A phone scans what an instance shows: the name is turned into the code here, where instances are known. */
async function withCode(deps: SandboxProxyDeps, path: string, request: FastifyRequest): Promise<unknown> {
  const body = request.body as { instanceName?: unknown; qr?: unknown } | undefined
  if (!/^\/phones\/[^/]+\/scan$/.test(path) || body?.instanceName === undefined) return body
  if (typeof body.instanceName !== 'string' || body.qr !== undefined) {
    throw new GatewayError('invalid_request', {
      details: [{ path: 'instanceName', message: 'exactly one of instanceName and qr' }],
    })
  }
  return { qr: await deps.loginCode(request, body.instanceName) }
}
