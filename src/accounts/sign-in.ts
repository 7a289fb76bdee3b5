// Sign-ins of the dashboard: the cookies, and their content, sealed, so that only this gateway can create or read it (decision 0040).
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { fastifyCookie as cookies } from '@fastify/cookie'
import type { FastifyRequest } from 'fastify'
import { CSRF_HEADER, type SignInKind } from '../contract/session.ts'
import { GatewayError } from '../errors.ts'
import type { Box } from '../store/vault.ts'
import { hashKey } from './rules.ts'

// Sign-ins of the dashboard: the content of the cookie, sealed, so that only this gateway can create or read it (decision 0040).

/** The vault scope of the key that seals cookies. */
export const SIGN_IN_SCOPE = 'sign-ins'
export const SIGN_IN_MS = 12 * 60 * 60 * 1000

export interface SignIn {
  /** The hash, never the key itself. After the key is revoked or changed, the sign-in is no longer valid. */
  keyHash: string
  csrfToken: string
  expiresAt: number
}

export interface SignIns {
  /** Returns a new sign-in and the text of its cookie. */
  create(kind: SignInKind, key: string): { signIn: SignIn; sealed: string }
  /** Undefined for text that this gateway did not seal, and for an expired sign-in. */
  read(kind: SignInKind, sealed: string): SignIn | undefined
}

/** The kind is part of the seal: the cookie of an account cannot be used as the operator's. */
const cellOf = (kind: SignInKind) => ({ table: 'cookies', column: 'sealed', row: kind })

export function createSignIns(box: Box, clock: () => number): SignIns {
  return {
    create(kind, key) {
      const signIn: SignIn = {
        keyHash: hashKey(key),
        csrfToken: randomBytes(24).toString('base64url'),
        expiresAt: clock() + SIGN_IN_MS,
      }
      const sealed = box.seal(cellOf(kind), Buffer.from(JSON.stringify(signIn)))
      return { signIn, sealed: Buffer.from(sealed).toString('base64url') }
    },
    read(kind, sealed) {
      try {
        const plain = box.unseal(cellOf(kind), Buffer.from(sealed, 'base64url'))
        const signIn = JSON.parse(Buffer.from(plain).toString()) as SignIn
        return signIn.expiresAt > clock() ? signIn : undefined
      } catch {
        return undefined
      }
    },
  }
}

// The two cookies of the dashboard, one for an account and one for the operator: names, flags and CSRF token.

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
