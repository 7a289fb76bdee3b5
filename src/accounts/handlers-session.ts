// Signing in to the dashboard and out of it: a key is exchanged for a cookie (decision 0040).
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { SignedIn, SignInKind } from '../contract/session.ts'
import type { Handlers, RequestContext } from '../request-handler.ts'
import { shownWalls } from './api-keys.ts'
import type { Auth } from './authenticate.ts'
import { apiKeyId, type KeyHolder } from './caller.ts'
import type { SignIn, SignIns } from './sign-in.ts'
import { requireCsrfToken, setCookie } from './sign-in-cookie.ts'

export interface SessionDeps {
  auth: Auth
  signIns: SignIns
  network: 'sandbox' | 'whatsapp'
  publicUrl: string | undefined
}

export type SessionRouteId =
  | 'signIn'
  | 'signedIn'
  | 'signOut'
  | 'operatorSignIn'
  | 'operatorSignedIn'
  | 'operatorSignOut'

type Context = RequestContext & { request: FastifyRequest }

export function sessionHandlers({
  auth,
  signIns,
  network,
  publicUrl,
}: SessionDeps): Handlers<SessionRouteId> {
  const write = ({ request, setHeader }: Context, kind: SignInKind, value?: string): void => {
    setHeader('Set-Cookie', setCookie(kind, value, isSecure(request, publicUrl)))
    setHeader('Cache-Control', 'no-store')
  }
  const accountOf = (signIn: SignIn, caller: KeyHolder): z.output<typeof SignedIn> => ({
    ...common(signIn),
    account: { id: caller.account.id, name: caller.account.name },
    keyId: apiKeyId(caller),
    scopes: [...caller.scopes],
    ...shownWalls(caller.walls),
    network,
  })
  return {
    async signIn(context, { body: { key } }) {
      const caller = await auth.callerOfKey(context.request, key)
      const { signIn, sealed } = signIns.create('account', key)
      write(context, 'account', sealed)
      return { signedIn: accountOf(signIn, caller) }
    },
    async signedIn({ request, setHeader }) {
      setHeader('Cache-Control', 'no-store')
      const found = await auth.callerOfCookie(request)
      return { signedIn: found ? accountOf(found.signIn, found.caller) : null }
    },
    async signOut(context) {
      // The store is not read: signing out also works after the key was deleted.
      const signIn = auth.signInOf(context.request, 'account')
      if (signIn) requireCsrfToken(context.request, signIn)
      write(context, 'account')
      return {}
    },
    async operatorSignIn(context, { body: { key } }) {
      auth.operatorOfKey(context.request, key)
      const { signIn, sealed } = signIns.create('operator', key)
      write(context, 'operator', sealed)
      return { signedIn: common(signIn) }
    },
    async operatorSignedIn({ request, setHeader }) {
      setHeader('Cache-Control', 'no-store')
      const signIn = auth.operatorOfCookie(request)
      return { signedIn: signIn ? common(signIn) : null }
    },
    async operatorSignOut(context) {
      const signIn = auth.signInOf(context.request, 'operator')
      if (signIn) requireCsrfToken(context.request, signIn)
      write(context, 'operator')
      return {}
    },
  }
}

const common = ({ csrfToken, expiresAt }: SignIn) => ({
  csrfToken,
  expiresAt: new Date(expiresAt).toISOString(),
})

/** The scheme that a proxy reports is trusted here: it can only make a cookie stricter. */
const isSecure = (request: FastifyRequest, publicUrl: string | undefined): boolean =>
  request.protocol === 'https' ||
  request.headers['x-forwarded-proto'] === 'https' ||
  publicUrl?.startsWith('https:') === true
