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

// A `fetch` to this server itself, without a connection: a tool of an agent passes admission, limits and schemas as any other request.

const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const

/** The typed client gives addresses as text. `origin` is the request of the agent: its client is the client of every call. */
export const ownFetch =
  (app: FastifyInstance, origin: FastifyRequest): typeof fetch =>
  async (address, init = {}) => {
    const method = METHODS.find((known) => known === init.method) ?? 'GET'
    init.signal?.throwIfAborted()
    const ended = new AbortController()
    init.signal?.addEventListener('abort', () => ended.abort(), { once: true })
    const answer = await app.inject({
      method,
      url: address as string,
      headers: { ...addressHeaders(origin), ...(init.headers as Record<string, string>) },
      ...(typeof init.body === 'string' && { payload: init.body }),
      remoteAddress: origin.socket.remoteAddress ?? '127.0.0.1',
      payloadAsStream: true,
      signal: ended.signal,
    })
    const body = answer.stream()
    // The error of an aborted call is reported to the reader of the body.
    body.on('error', () => undefined)
    // Tells the server that the body is not read any more: without the signal it would write a stream without end.
    body.once('close', () => ended.abort())
    return new Response(Readable.toWeb(body) as ReadableStream, {
      status: answer.statusCode,
      headers: Object.entries(answer.headers).flatMap(([name, value]) =>
        [value ?? []].flat().map((one): [string, string] => [name, String(one)]),
      ),
    })
  }

/** How the client reached this server, for its address and for URLs in answers. */
function addressHeaders({ headers }: FastifyRequest): Record<string, string> {
  const kept = ['host', 'x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host']
  return Object.fromEntries(
    kept.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])),
  )
}
