// All served paths with their methods, to tell 404 from 405.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { GatewayError } from '../../errors.ts'
import { pathOf } from './request-log.ts'

export interface ServedPaths {
  /** The methods of a path, for the `Allow` header; for an unknown path, all methods that any path takes. */
  methodsAt(path: string): string[]
  /** 404 for an unknown path; 405 for a method that the path, or every path, does not take. */
  refusal(request: FastifyRequest, reply: FastifyReply): GatewayError
}

/** With one of these methods, an unknown path is answered with 404; with any other method, with 405. */
const COMMON = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Records every route that is added after this call. */
export function watchServedPaths(app: FastifyInstance): ServedPaths {
  const known: { pattern: RegExp; method: string }[] = []
  app.addHook('onRoute', ({ method, url }) => {
    // The framework adds HEAD for each GET.
    for (const each of [method].flat())
      if (each !== 'HEAD') known.push({ pattern: patternOf(url), method: each })
  })
  const methodsOf = (path: string): string[] => [
    ...new Set(known.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)),
  ]
  const methodsAt = (path: string): string[] => {
    const methods = methodsOf(path)
    return methods.length > 0 ? methods : [...new Set(known.map(({ method }) => method))]
  }
  const refusal = (request: FastifyRequest, reply: FastifyReply): GatewayError => {
    const path = pathOf(request.url)
    if (COMMON.has(request.method) && methodsOf(path).length === 0) return new GatewayError('not_found')
    reply.header('Allow', methodsAt(path).join(', '))
    return new GatewayError('method_not_allowed')
  }
  // Before the framework parses a body: it treats some of these methods differently.
  app.addHook('onRequest', async (request, reply) => {
    if (!COMMON.has(request.method)) throw refusal(request, reply)
  })
  return { methodsAt, refusal }
}

const patternOf = (url: string): RegExp => new RegExp(`^${url.split('/').map(segmentPattern).join('/')}$`)

function segmentPattern(segment: string): string {
  if (segment === '*') return '.*'
  return segment.startsWith(':') ? '[^/]+' : RegExp.escape(segment)
}
