// Who is calling: the bearer key of an account or of the operator (spec 5).
import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Route } from '../contract/route.ts'
import type { Caller } from '../domain/caller.ts'
import { GatewayError } from '../errors.ts'
import { createRateLimit } from './rate-limit.ts'

/** How long a key's standing is remembered: revocation counts within this time. */
const REMEMBER_MS = 900
const MAX_REMEMBERED = 10_000
const WRONG_KEYS_PER_MINUTE = 20

export interface AuthDeps {
  findCaller(key: string): Promise<Caller | undefined>
  operatorKey: string
  clock: () => number
  /** Told of every accepted use, for the key's "last used". */
  onUse(keyId: number): void
}

export interface Auth {
  caller(request: FastifyRequest, route: Route): Promise<Caller>
  operator(request: FastifyRequest): void
}

export function createAuth(deps: AuthDeps): Auth {
  const remembered = new Map<string, { caller: Caller; until: number }>()
  const wrongKeys = createRateLimit(WRONG_KEYS_PER_MINUTE / 60, WRONG_KEYS_PER_MINUTE)
  const operatorHash = digest(deps.operatorKey)

  /** Only wrong keys count: behind a shared address, one client's mistakes must not shut out the others. */
  function refuse(request: FastifyRequest): never {
    const { allowed, retryAfterSeconds } = wrongKeys.take(request.ip, deps.clock())
    if (!allowed) throw new GatewayError('rate_limited', {}, { retryAfterSeconds })
    throw new GatewayError('unauthorized')
  }
  async function lookUp(request: FastifyRequest, key: string): Promise<Caller> {
    const caller = await deps.findCaller(key)
    if (!caller) return refuse(request)
    if (remembered.size >= MAX_REMEMBERED) remembered.clear()
    remembered.set(key, { caller, until: deps.clock() + REMEMBER_MS })
    return caller
  }

  return {
    async caller(request, route) {
      const key = presentedKey(request, route.keyInQuery === true)
      if (key === undefined) return refuse(request)
      const known = remembered.get(key)
      const caller = known && deps.clock() < known.until ? known.caller : await lookUp(request, key)
      deps.onUse(caller.keyId)
      return caller
    },
    operator(request) {
      const key = presentedKey(request, false)
      if (key === undefined || !timingSafeEqual(digest(key), operatorHash)) refuse(request)
    },
  }
}

const digest = (key: string): Buffer => createHash('sha256').update(key).digest()

/**
 * The key of a request; undefined where there is none or where it is ambiguous. Node keeps only the first of two
 * `Authorization` headers, so they are counted in the raw list.
 */
export function presentedKey(request: FastifyRequest, keyInQuery: boolean): string | undefined {
  const headers = request.raw.rawHeaders.filter(
    (text, index) => index % 2 === 0 && text.toLowerCase() === 'authorization',
  )
  if (headers.length > 1) return undefined
  const header = request.headers.authorization
  const fromHeader = header === undefined ? undefined : /^bearer +(\S+) *$/i.exec(header)?.[1]
  if (header !== undefined && fromHeader === undefined) return undefined
  const inQuery = (request.query as Record<string, unknown>).apiKey
  if (inQuery === undefined || !keyInQuery) return fromHeader
  if (typeof inQuery !== 'string' || inQuery === '') return undefined
  return fromHeader === undefined || fromHeader === inQuery ? inQuery : undefined
}
