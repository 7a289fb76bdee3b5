// The two cookies of the dashboard, one for an account and one for the operator: names, flags and CSRF token.
import { timingSafeEqual } from 'node:crypto'
import { fastifyCookie as cookies } from '@fastify/cookie'
import type { FastifyRequest } from 'fastify'
import { CSRF_HEADER, type SignInKind } from '../contract/session.ts'
import { GatewayError } from '../errors.ts'
import { SIGN_IN_MS, type SignIn } from './sign-in.ts'

const NAMES: Record<SignInKind, string> = { account: 'switchboard_session', operator: 'switchboard_operator' }

/** The sealed text of the cookie; undefined without one. */
export function cookieOf(request: FastifyRequest, kind: SignInKind): string | undefined {
  const header = request.headers.cookie
  return header === undefined ? undefined : cookies.parse(header)[NAMES[kind]]
}

/** A `Set-Cookie` header. Without a value it deletes the cookie. */
export const setCookie = (kind: SignInKind, value: string | undefined, secure: boolean): string =>
  cookies.serialize(NAMES[kind], value ?? '', {
    httpOnly: true,
    sameSite: 'strict',
    secure,
    path: '/',
    maxAge: value === undefined ? 0 : SIGN_IN_MS / 1000,
  })

/**
 * A browser sends the cookie with requests of any page; only pages of this origin can read the token. GET and HEAD need no
 * token, so that images and event streams can be opened.
 */
export function requireCsrfToken(request: FastifyRequest, signIn: SignIn): void {
  if (request.method === 'GET' || request.method === 'HEAD') return
  const given = Buffer.from(String(request.headers[CSRF_HEADER] ?? ''))
  const wanted = Buffer.from(signIn.csrfToken)
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) throw new GatewayError('csrf_failed')
}
