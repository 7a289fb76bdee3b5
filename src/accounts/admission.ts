// Admission: decides before the body is read whether a request may be answered. In this order: load, key, rate limit,
// subscription, scope, walls, hold. The walls decide again when the target of the request is parsed.

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Route } from '../contract/route.ts'
import { hasWalls, wallAdmits } from '../contract/wall-values.ts'
import { GatewayError } from '../errors.ts'
import { entryName } from '../kernel/async/entry-name.ts'
import type { LagMonitor } from '../kernel/http/lag-monitor.ts'
import type { Auth } from './authenticate.ts'
import { type Caller, type KeyHolder, requireScope } from './caller.ts'
import { createKeyRateLimit, type KeyRateLimitParts } from './key-rate-limit.ts'
import { hasAccess } from './rules.ts'
import type { WalledInput } from './walls.ts'

const OVERLOAD_RETRY_SECONDS = 2
const OPERATOR = entryName('operator', 'key')

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by admission on routes of the `api` and `sandbox` areas. */
    caller: Caller | undefined
  }
}

export interface AdmissionDeps extends KeyRateLimitParts {
  auth: Auth
  lag: LagMonitor
  /** Whether routes that need the network are refused (decision 0076). */
  isHeld(): boolean
  /** Why this key may not do this; undefined: it may (accounts/walls.ts). */
  refusalOf(caller: Caller, route: Route, input: WalledInput): Promise<GatewayError | undefined>
}

export interface Admission {
  /** Throws a refusal, or sets `request.caller` and the rate limit headers. `findCaller` replaces the key in `Authorization`. */
  admit(
    route: Route,
    request: FastifyRequest,
    reply: FastifyReply,
    findCaller?: () => Promise<Caller>,
  ): Promise<void>
  /** Throws when what the request names is outside the walls of the key. */
  confine(route: Route, caller: Caller | undefined, input: WalledInput): Promise<void>
  /** Throws when the caller of a long answer has lost access meanwhile. */
  recheck(route: Route, request: FastifyRequest): Promise<void>
}

export function createAdmission(deps: AdmissionDeps): Admission {
  const { auth, lag, isHeld } = deps
  const rateLimit = createKeyRateLimit(deps)

  function requireAccess(route: Route, caller: KeyHolder): void {
    if (!route.openWithoutSubscription && !hasAccess(caller.account, deps.clock())) {
      throw new GatewayError('subscription_inactive')
    }
    requireScope(caller, route)
    // The sandbox shows phones with all their chats.
    if (!wallAdmits(caller.walls, route.wall ?? 'refused')) throw new GatewayError('outside_walls')
  }

  return {
    async admit(route, request, reply, findOther) {
      if (route.area === 'system' || route.area === 'session') return
      // Only sends are shed under load (decision 0034).
      if (route.idempotent && lag.isLagging()) {
        throw new GatewayError('unavailable', {}, { retryAfterSeconds: OVERLOAD_RETRY_SECONDS })
      }
      if (route.area === 'admin') {
        auth.operator(request)
        rateLimit.take(reply, OPERATOR, null)
        return
      }
      const caller =
        route.area === 'sandbox'
          ? await auth.callerOrOperator(request, route)
          : await (findOther ?? (() => auth.caller(request, route)))()
      if (!caller) return rateLimit.take(reply, OPERATOR, null)
      request.caller = caller
      rateLimit.take(
        reply,
        entryName(caller.credential.kind, caller.credential.id),
        caller.plan.requests_per_second,
      )
      requireAccess(route, caller)
      // A dialect answers some calls without a route of this API, where nothing would apply the walls.
      if (findOther && hasWalls(caller.walls)) throw new GatewayError('outside_walls')
      if (route.live && isHeld()) throw new GatewayError('gateway_held')
    },
    async confine(route, caller, input) {
      if (!caller || !hasWalls(caller.walls)) return
      const refusal = await deps.refusalOf(caller, route, input)
      if (refusal) throw refusal
    },
    async recheck(route, request) {
      requireAccess(route, await auth.caller(request, route))
    },
  }
}
