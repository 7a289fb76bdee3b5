// `/sandbox/v1` on the gateway: an account's key opens it, and the sandbox network answers (decisions 9).
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Route } from '../contract/route.ts'
import { invalidField } from '../errors.ts'
import type { Auth } from './auth.ts'

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
      const instanceName = scannedInstance(path, request.body)
      const body =
        instanceName === undefined ? request.body : { qr: await deps.loginCode(request, instanceName) }
      const answer = await deps.forward({ method: request.method, path, body })
      // Whoever made a phone scan wants to send next.
      if (instanceName !== undefined && answer.status === 200) await deps.untilLoggedIn(request, instanceName)
      return reply.code(answer.status).type(answer.contentType).send(Buffer.from(answer.bytes))
    },
  })
}

/** A phone scans what an instance shows: the name is turned into the code here, where instances are known. */
function scannedInstance(path: string, body: unknown): string | undefined {
  const { instanceName, qr } = (body ?? {}) as { instanceName?: unknown; qr?: unknown }
  if (!/^\/phones\/[^/]+\/scan$/.test(path) || instanceName === undefined) return undefined
  if (typeof instanceName !== 'string' || qr !== undefined) {
    throw invalidField('instanceName', 'exactly one of instanceName and qr, as text')
  }
  return instanceName
}
