// A `fetch` to this server itself, without a connection: a tool of an agent passes admission, limits and schemas as any other request.
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'

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
