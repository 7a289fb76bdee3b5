// Signing in to the dashboard: a key is exchanged for a sealed cookie, once for an account and once for the operator
// (decision 0040).
import { z } from 'zod'
import { success, timestamp } from './fields.ts'
import { route, SCOPES } from './route.ts'

/** The header that a request with a cookie proves its origin by, unless it only reads. */
export const CSRF_HEADER = 'x-csrf-token'

const csrfToken = z.string().meta({
  description:
    'To be sent as `X-CSRF-Token` with every request that is authenticated by the cookie and not a GET',
})
const KeyBody = z
  .strictObject({ key: z.string().min(1).max(256) })
  .meta({ id: 'SignIn', examples: [{ key: 'sk_0000000000000000000000000000000000000000' }] })

export const SignedIn = z
  .object({
    csrfToken,
    expiresAt: timestamp,
    account: z.object({ id: z.int(), name: z.string() }),
    keyId: z.int().meta({ description: 'The key that was signed in with' }),
    scopes: z.array(z.enum(SCOPES)).meta({ description: 'Empty: everything' }),
    network: z.enum(['sandbox', 'whatsapp']),
  })
  .meta({ id: 'SignedIn' })
export const OperatorSignedIn = z.object({ csrfToken, expiresAt: timestamp }).meta({ id: 'OperatorSignedIn' })
const orNobody = { description: 'Null: nobody is signed in' }

const common = { area: 'session', tag: 'Signing in' } as const

export const signIn = route({
  ...common,
  id: 'signIn',
  method: 'POST',
  path: '',
  summary: 'Exchange the key of an account for a cookie',
  body: KeyBody,
  answer: z.object({ success, signedIn: SignedIn }),
  reasons: ['unauthorized', 'rate_limited', 'internal', 'unavailable'],
})

export const signedIn = route({
  ...common,
  id: 'signedIn',
  method: 'GET',
  path: '',
  summary: 'Who is signed in, and the CSRF token',
  answer: z.object({ success, signedIn: SignedIn.nullable().meta(orNobody) }),
  reasons: ['internal', 'unavailable'],
})

export const signOut = route({
  ...common,
  id: 'signOut',
  method: 'DELETE',
  path: '',
  summary: 'Sign out; without a cookie there is nothing to do',
  answer: z.object({ success }),
  reasons: ['csrf_failed'],
})

export const operatorSignIn = route({
  ...common,
  id: 'operatorSignIn',
  method: 'POST',
  path: '/operator',
  summary: "Exchange the operator's key for a cookie",
  body: KeyBody,
  answer: z.object({ success, signedIn: OperatorSignedIn }),
  reasons: ['unauthorized', 'rate_limited'],
})

export const operatorSignedIn = route({
  ...common,
  id: 'operatorSignedIn',
  method: 'GET',
  path: '/operator',
  summary: 'Whether the operator is signed in, and the CSRF token',
  answer: z.object({ success, signedIn: OperatorSignedIn.nullable().meta(orNobody) }),
  reasons: [],
})

export const operatorSignOut = route({
  ...common,
  id: 'operatorSignOut',
  method: 'DELETE',
  path: '/operator',
  summary: 'Sign the operator out',
  answer: z.object({ success }),
  reasons: ['csrf_failed'],
})
