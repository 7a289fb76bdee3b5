// One log line and one measurement for each answered request. The URL stays out of the log: its query may contain a key.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { BASE_PATHS } from '../../contract/route.ts'

export type ObserveRequest = (
  labels: { route: string; method: string; status: number },
  seconds: number,
) => void

export function addRequestLog(app: FastifyInstance, observe: ObserveRequest): void {
  app.addHook('onResponse', async (request, reply) => logRequest(request, reply, observe))
}

function logRequest(request: FastifyRequest, reply: FastifyReply, observe: ObserveRequest): void {
  const route = request.routeOptions.url ?? 'unknown'
  const labels = { route, method: request.method, status: reply.statusCode }
  observe(labels, reply.elapsedTime / 1000)
  request.log[levelOf(route)](
    {
      ...labels,
      client: request.clientAddress || undefined,
      account: request.caller?.account.id,
      instance: instanceNamed(request),
      ms: Math.round(reply.elapsedTime * 10) / 10,
    },
    'request',
  )
}

/** Probes, scrapes and files of the dashboard would flood the log. */
const levelOf = (route: string): 'info' | 'debug' =>
  Object.values(BASE_PATHS).some((base) => base !== '' && route.startsWith(base)) ? 'info' : 'debug'

function instanceNamed(request: FastifyRequest): string | undefined {
  const from = (part: unknown): unknown =>
    (part as { instanceName?: unknown } | undefined | null)?.instanceName
  const name = from(request.query) ?? from(request.body)
  return typeof name === 'string' ? name.slice(0, 100) : undefined
}

// The target of a request line. Proxies may send it in absolute form, which every server must accept (RFC 9112, 3.2.2).

const SCHEME_AND_AUTHORITY = /^https?:\/\/[^/?#]*/i

/** Path and query of a target in either form. The authority is ignored: the gateway answers for every host name. */
export function originForm(target: string): string {
  if (target.startsWith('/')) return target
  const rest = target.replace(SCHEME_AND_AUTHORITY, '')
  return rest === target || rest.startsWith('/') ? rest : `/${rest}`
}

export const pathOf = (target: string): string => originForm(target).split('?', 1)[0] ?? ''
