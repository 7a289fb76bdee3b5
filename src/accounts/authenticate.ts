// Authentication: finds the account or the operator by bearer key, or by the cookie for which the key was exchanged.
import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Route } from '../contract/route.ts'
import type { SignInKind } from '../contract/session.ts'
import { GatewayError } from '../errors.ts'
import { createBoundedMap } from '../kernel/async/bounded-map.ts'
import { entryName } from '../kernel/async/entry-name.ts'
import { originOf } from '../kernel/http/origin.ts'
import { createRateLimit } from '../kernel/http/rate-limit.ts'
import type { Caller, KeyHolder } from './caller.ts'
import { hashKey } from './rules.ts'
import { cookieOf, requireCsrfToken, type SignIn, type SignIns } from './sign-in.ts'

/** How long a caller is cached: a revocation takes effect within this time. */
const CACHE_MS = 900
const MAX_CACHED = 10_000
const WRONG_KEYS_PER_MINUTE = 20

export interface AuthDeps {
  findCaller(key: string): Promise<KeyHolder | undefined>
  findCallerByHash(keyHash: string): Promise<KeyHolder | undefined>
  operatorKey: string
  signIns: SignIns
  clock: () => number
  /** How callers reach this server; absent: taken from the request. */
  publicUrl?: string | undefined
  /** Called for every accepted key, for its "last used" time. */
  onUse(keyId: number): void
}

export interface Auth {
  /** By key, or by cookie where the request has no key. */
  caller(request: FastifyRequest, route: Route): Promise<Caller>
  operator(request: FastifyRequest): void
  /** The account as `caller` finds it; undefined for the operator's key, and for the operator's cookie without an account's. */
  callerOrOperator(request: FastifyRequest, route: Route): Promise<Caller | undefined>
  /** The account of this key. Wrong keys are counted by client address. `findOther` knows keys of another kind. */
  callerOfKey(
    request: FastifyRequest,
    key: string | undefined,
    findOther?: (key: string) => Promise<KeyHolder | undefined>,
  ): Promise<KeyHolder>
  /** For the "last used" time of an account's key. */
  noteUse(holder: KeyHolder): void
  operatorOfKey(request: FastifyRequest, key: string | undefined): void
  /** The sign-in of the request's cookie and its account; undefined without a valid cookie. */
  callerOfCookie(request: FastifyRequest): Promise<{ signIn: SignIn; caller: KeyHolder } | undefined>
  operatorOfCookie(request: FastifyRequest): SignIn | undefined
  /** The content of the cookie, whether or not its key is still valid. */
  signInOf(request: FastifyRequest, kind: SignInKind): SignIn | undefined
}

export function createAuth(deps: AuthDeps): Auth {
  const wrongKeys = createRateLimit(WRONG_KEYS_PER_MINUTE / 60, WRONG_KEYS_PER_MINUTE)
  const operatorHash = hashKey(deps.operatorKey)
  const byKey = cacheCallers(deps.findCaller, deps.clock)
  const byHash = cacheCallers(deps.findCallerByHash, deps.clock)

  /** Only wrong keys are limited: behind a shared address, the mistakes of one client must not block the others. */
  function refuse(request: FastifyRequest): never {
    const verdict = wrongKeys.take(entryName('address', request.clientAddress), deps.clock())
    if (!verdict.allowed) throw new GatewayError('rate_limited', {}, verdict)
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
      auth.noteUse(caller)
      return { ...caller, origin: originOf(request, deps.publicUrl) }
    },
    operator(request) {
      if (hasKey(request, false) || cookieOf(request, 'operator') === undefined) {
        auth.operatorOfKey(request, presentedKey(request, false))
        return
      }
      const signIn = auth.operatorOfCookie(request)
      fromCookie(request, signIn && { signIn })
    },
    async callerOrOperator(request, route) {
      const key = hasKey(request, false) ? presentedKey(request, false) : undefined
      if (key !== undefined && isSame(hashKey(key), operatorHash)) return undefined
      if (hasKey(request, false) || cookieOf(request, 'account') !== undefined) {
        return auth.caller(request, route)
      }
      auth.operator(request)
      return undefined
    },
    callerOfKey: async (request, key, findOther) =>
      (key === undefined ? undefined : ((await byKey(key)) ?? (await findOther?.(key)))) ?? refuse(request),
    noteUse: ({ credential: { kind, id } }) => void (kind === 'api_key' && deps.onUse(id)),
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

/** An expired cookie is refused but not counted as a wrong key: it is not an attempt to guess one. */
function fromCookie<T extends { signIn: SignIn }>(request: FastifyRequest, found: T | undefined): T {
  if (!found) throw new GatewayError('unauthorized')
  requireCsrfToken(request, found.signIn)
  return found
}

export function cacheCallers<Holder extends KeyHolder>(
  find: (name: string) => Promise<Holder | undefined>,
  clock: () => number,
) {
  const cached = createBoundedMap<string, { caller: Holder; until: number }>(MAX_CACHED)
  return async (name: string): Promise<Holder | undefined> => {
    const known = cached.get(name)
    if (known && clock() < known.until) return known.caller
    const caller = await find(name)
    if (!caller) return undefined
    cached.set(name, { caller, until: clock() + CACHE_MS })
    return caller
  }
}

const isSame = (hash: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(hash), Buffer.from(other))

/** Whether the request has a key, valid or not: then its cookies are ignored. */
const hasKey = (request: FastifyRequest, keyInQuery: boolean): boolean =>
  request.headers.authorization !== undefined ||
  (keyInQuery && (request.query as Record<string, unknown>).apiKey !== undefined)

/**
 * The key of a request; undefined if it is missing or ambiguous. Node keeps only the first of two `Authorization` headers, so
 * they are counted in the raw list.
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
