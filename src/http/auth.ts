// Who is calling: the bearer key of an account or of the operator (spec 5), or the cookie that it was exchanged for.
import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Route } from '../contract/route.ts'
import type { Caller } from '../domain/caller.ts'
import { hashKey } from '../domain/key-text.ts'
import type { SignIn, SignInKind, SignIns } from '../domain/sign-in.ts'
import { GatewayError } from '../errors.ts'
import { createRateLimit } from './rate-limit.ts'
import { cookieOf, requireCsrfToken } from './sign-in-cookie.ts'

/** How long a key's standing is remembered: revocation counts within this time. */
const REMEMBER_MS = 900
const MAX_REMEMBERED = 10_000
const WRONG_KEYS_PER_MINUTE = 20

export interface AuthDeps {
  findCaller(key: string): Promise<Caller | undefined>
  findCallerByHash(keyHash: string): Promise<Caller | undefined>
  operatorKey: string
  signIns: SignIns
  clock: () => number
  /** Told of every accepted use, for the key's "last used". */
  onUse(keyId: number): void
}

export interface Auth {
  /** By key, or by cookie where the request has no key. */
  caller(request: FastifyRequest, route: Route): Promise<Caller>
  operator(request: FastifyRequest): void
  /** Whose key this is; a wrong one counts against the address. */
  callerOfKey(request: FastifyRequest, key: string | undefined): Promise<Caller>
  operatorOfKey(request: FastifyRequest, key: string | undefined): void
  /** What the request's cookie says, and who that is today. Nobody is refused for asking without one. */
  callerOfCookie(request: FastifyRequest): Promise<{ signIn: SignIn; caller: Caller } | undefined>
  operatorOfCookie(request: FastifyRequest): SignIn | undefined
  /** What the cookie holds, whether or not its key still opens anything. */
  signInOf(request: FastifyRequest, kind: SignInKind): SignIn | undefined
}

export function createAuth(deps: AuthDeps): Auth {
  const wrongKeys = createRateLimit(WRONG_KEYS_PER_MINUTE / 60, WRONG_KEYS_PER_MINUTE)
  const operatorHash = hashKey(deps.operatorKey)
  const byKey = rememberCallers(deps.findCaller, deps.clock)
  const byHash = rememberCallers(deps.findCallerByHash, deps.clock)

  /** Only wrong keys count: behind a shared address, one client's mistakes must not shut out the others. */
  function refuse(request: FastifyRequest): never {
    const { allowed, retryAfterSeconds } = wrongKeys.take(request.ip, deps.clock())
    if (!allowed) throw new GatewayError('rate_limited', {}, { retryAfterSeconds })
    throw new GatewayError('unauthorized')
  }
  const signInOf = (request: FastifyRequest, kind: SignInKind): SignIn | undefined => {
    const sealed = cookieOf(request, kind)
    return sealed === undefined ? undefined : deps.signIns.read(kind, sealed)
  }
  const auth: Auth = {
    signInOf,
    async caller(request, route) {
      const keyInQuery = route.keyInQuery === true
      const caller =
        hasKey(request, keyInQuery) || cookieOf(request, 'account') === undefined
          ? await auth.callerOfKey(request, presentedKey(request, keyInQuery))
          : fromCookie(request, await auth.callerOfCookie(request)).caller
      deps.onUse(caller.keyId)
      return caller
    },
    operator(request) {
      if (hasKey(request, false) || cookieOf(request, 'operator') === undefined) {
        auth.operatorOfKey(request, presentedKey(request, false))
        return
      }
      const signIn = auth.operatorOfCookie(request)
      fromCookie(request, signIn && { signIn })
    },
    async callerOfKey(request, key) {
      return (key === undefined ? undefined : await byKey(key)) ?? refuse(request)
    },
    operatorOfKey(request, key) {
      if (key === undefined || !isSame(hashKey(key), operatorHash)) refuse(request)
    },
    async callerOfCookie(request) {
      const signIn = signInOf(request, 'account')
      const caller = signIn && (await byHash(signIn.keyHash))
      return signIn && caller && { signIn, caller }
    },
    operatorOfCookie(request) {
      const signIn = signInOf(request, 'operator')
      return signIn && isSame(signIn.keyHash, operatorHash) ? signIn : undefined
    },
  }
  return auth
}

/** A cookie that has run out is no guess at a key: it is refused, and does not count against the address. */
function fromCookie<T extends { signIn: SignIn }>(request: FastifyRequest, found: T | undefined): T {
  if (!found) throw new GatewayError('unauthorized')
  requireCsrfToken(request, found.signIn)
  return found
}

function rememberCallers(find: (name: string) => Promise<Caller | undefined>, clock: () => number) {
  const remembered = new Map<string, { caller: Caller; until: number }>()
  return async (name: string): Promise<Caller | undefined> => {
    const known = remembered.get(name)
    if (known && clock() < known.until) return known.caller
    const caller = await find(name)
    if (!caller) return undefined
    if (remembered.size >= MAX_REMEMBERED) remembered.clear()
    remembered.set(name, { caller, until: clock() + REMEMBER_MS })
    return caller
  }
}

const isSame = (hash: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(hash), Buffer.from(other))

/** Whether the request tries to show a key at all: then the key alone counts, and no cookie. */
const hasKey = (request: FastifyRequest, keyInQuery: boolean): boolean =>
  request.headers.authorization !== undefined ||
  (keyInQuery && (request.query as Record<string, unknown>).apiKey !== undefined)

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
