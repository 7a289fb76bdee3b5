// How a dialect calls routes of this API on behalf of a request: the same schema, the same handler, the same refusals.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { requireScope } from '../accounts/caller.ts'
import type { AnswerOf, ArrivingFile, CallerInput, Route } from '../contract/route.ts'
import type { RouteId, Routes } from '../contract/routes.ts'
import { parseInput } from '../kernel/http/parse-input.ts'
import type { HandledRoute } from '../request-handler.ts'
import { createContext, type RouteDeps } from './api/routes.ts'

/** The input of a route as handlers of a dialect give it; a file is one that arrives. */
type Given<R extends Route> = R extends { upload: object }
  ? Omit<CallerInput<R>, 'file'> & { file: ArrivingFile }
  : CallerInput<R>

export type UseRoute = <K extends RouteId>(id: K, input: Given<Routes[K]>) => Promise<AnswerOf<Routes[K]>>

export type RouteOf = (id: RouteId) => HandledRoute

export function indexRoutes(routes: readonly HandledRoute[]): RouteOf {
  const byId = new Map(routes.map((handled) => [handled.route.id, handled]))
  return (id) => byId.get(id) as HandledRoute
}

/** Headers of this API that have a meaning in every dialect. */
const PASSED_ON = new Set(['Idempotency-Replayed', 'Preference-Applied'])

/** `passOn` names further headers of answers that are kept. */
export function createUse(
  { routeDeps, routeOf }: { routeDeps: RouteDeps; routeOf: RouteOf },
  request: FastifyRequest,
  reply: FastifyReply,
  passOn: (name: string) => boolean = (name) => PASSED_ON.has(name),
): UseRoute {
  return async (id, input) => {
    const { route, handle } = routeOf(id)
    const { caller } = request
    // A call is admitted as one route, and may use several.
    if (caller) requireScope(caller, route)
    const context = Object.assign(createContext(routeDeps, route, request, reply), {
      setHeader: (name: string, value: string) => {
        if (passOn(name)) void reply.header(name, value)
      },
    })
    const { params = {}, query = {}, body, file } = input as Record<string, unknown>
    // As for a request without a body: that of an upload is a file.
    const parsed = parseInput(route.upload ? { ...route, method: 'GET' } : route, { params, query, body })
    await routeDeps.admission.confine(route, caller, parsed)
    return (await handle(context as never, (file ? { ...parsed, file } : parsed) as never)) as never
  }
}
