// Serves MCP at /mcp over streamable HTTP, without sessions: each request has the key of an account, as in the API, and clients of
// older protocol versions are served by the same tools.
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AGENT_PATH as PATH } from '../../accounts/agent-sign-in.ts'
import { presentedKey } from '../../accounts/authenticate.ts'
import type { Caller } from '../../accounts/caller.ts'
import { createClient } from '../../contract/client.ts'
import type { Route } from '../../contract/route.ts'
import { routes } from '../../contract/routes.ts'
import { mayCall } from '../../contract/wall-values.ts'
import { GatewayError } from '../../errors.ts'
import { originOf } from '../../kernel/http/origin.ts'
import type { AddDialect } from '../api/server.ts'
import { ownFetch } from './own-fetch.ts'
import { signInHint } from './sign-in.ts'
import { APPROVALS_PAGE } from './tool.ts'

/** Any key may connect. Its tools depend on its scopes and walls, and each of their calls is admitted for itself. */
const { scopes: _, ...ANY_KEY } = routes.accountLimits
const ROUTE: Route = { ...ANY_KEY, id: 'mcp', wall: 'open', openWithoutSubscription: true }

export const mcpEndpoint: AddDialect = (app, { admission, publicUrl }) => {
  app.route({
    method: ['POST', 'GET', 'DELETE'],
    url: PATH,
    async onRequest(request, reply) {
      // Only a key in the header: a page in a browser must not act with the cookie of the dashboard.
      const isAdmitted =
        presentedKey(request, false) === undefined
          ? Promise.reject(new GatewayError('unauthorized'))
          : admission.admit(ROUTE, request, reply)
      await isAdmitted.catch((error: unknown) => {
        if (error instanceof GatewayError && error.reason === 'unauthorized')
          void reply.header('WWW-Authenticate', signInHint(request, publicUrl))
        throw error
      })
    },
    handler: (request, reply) => answer(app, request, reply, originOf(request, publicUrl)),
  })
}

async function answer(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  origin: string,
): Promise<unknown> {
  // Loaded on first use: most gateways have no agent.
  const [{ createMcpHandler }, { createMcpServer }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('./server.ts'),
  ])
  const caller = request.caller as Caller
  const key = presentedKey(request, false)
  const api = createClient({ baseUrl: '', key, fetch: ownFetch(app, request) })
  const agentKey = {
    api,
    mayUse: (route: Route) => mayCall(caller, route),
    approvalsUrl: origin + APPROVALS_PAGE,
  }
  const ended = new AbortController()
  reply.raw.once('close', () => ended.abort())
  const handler = createMcpHandler(() => createMcpServer(agentKey), {
    onerror: (error) => request.log.debug({ err: error }, 'mcp'),
  })
  const response = await handler.fetch(webRequest(request, ended.signal), { parsedBody: request.body })
  return send(reply, response)
}

const webRequest = ({ method, headers, body }: FastifyRequest, signal: AbortSignal): Request =>
  new Request(`http://localhost${PATH}`, {
    method,
    headers: Object.entries(headers).flatMap(([name, value]) =>
      name === 'content-length' ? [] : [value ?? []].flat().map((one): [string, string] => [name, one]),
    ),
    ...(method === 'POST' && { body: JSON.stringify(body) }),
    signal,
  })

function send(reply: FastifyReply, response: Response): FastifyReply {
  void reply.code(response.status).header('Cache-Control', 'no-store')
  for (const [name, value] of response.headers) if (name !== 'content-length') void reply.header(name, value)
  if (response.body === null) return reply.send()
  const body = Readable.fromWeb(response.body as never)
  // The client may leave while the answer is written.
  body.on('error', () => undefined)
  return reply.send(body)
}
