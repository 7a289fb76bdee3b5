// Signing in to the dashboard: an account key or the operator key is exchanged for a sealed cookie (decision 0040).
import { z } from 'zod'
import { success, timestamp } from './fields.ts'
import { endpoint } from './route.ts'
import { SCOPES } from './scopes.ts'
import { wallFields } from './walls.ts'

/** Signed in with an account's key, or with the operator's. */
export type SignInKind = 'account' | 'operator'

/** Requests that change something and are authenticated by a cookie need this header. */
export const CSRF_HEADER = 'x-csrf-token'

const csrfToken = z.string().meta({
  description: 'Send it as `X-CSRF-Token` with every request except GET that is authenticated by the cookie',
})
const KeyBody = z
  .strictObject({ key: z.string().min(1).max(256) })
  .meta({ id: 'SignIn', examples: [{ key: 'sk_0000000000000000000000000000000000000000' }] })

export const SignedIn = z
  .object({
    csrfToken,
    expiresAt: timestamp,
    account: z.object({ id: z.int(), name: z.string() }),
    keyId: z.int().meta({ description: 'Id of the key used to sign in' }),
    scopes: z.array(z.enum(SCOPES)).meta({ description: 'Empty means all scopes' }),
    ...wallFields,
    network: z.enum(['sandbox', 'whatsapp']),
  })
  .meta({ id: 'SignedIn' })
export const OperatorSignedIn = z.object({ csrfToken, expiresAt: timestamp }).meta({ id: 'OperatorSignedIn' })
const nullWhenSignedOut = { description: 'Null if not signed in' }

const common = { tag: 'Signing in' } as const

export const signIn = endpoint({
  ...common,
  summary: 'Sign in with an account key: returns a cookie',
  body: KeyBody,
  answer: z.object({ success, signedIn: SignedIn }),
  reasons: ['unauthorized', 'rate_limited', 'internal', 'unavailable'],
})

export const signedIn = endpoint({
  ...common,
  summary: 'Get the current sign-in and its CSRF token',
  answer: z.object({ success, signedIn: SignedIn.nullable().meta(nullWhenSignedOut) }),
  reasons: ['internal', 'unavailable'],
})

export const signOut = endpoint({
  ...common,
  summary: 'Sign out; does nothing without a cookie',
  answer: z.object({ success }),
  reasons: ['csrf_failed'],
})

export const operatorSignIn = endpoint({
  ...common,
  summary: 'Sign in with the operator key: returns a cookie',
  body: KeyBody,
  answer: z.object({ success, signedIn: OperatorSignedIn }),
  reasons: ['unauthorized', 'rate_limited'],
})

export const operatorSignedIn = endpoint({
  ...common,
  summary: "Get the operator's sign-in and its CSRF token",
  answer: z.object({ success, signedIn: OperatorSignedIn.nullable().meta(nullWhenSignedOut) }),
  reasons: [],
})

export const operatorSignOut = endpoint({
  ...common,
  summary: 'Sign out the operator',
  answer: z.object({ success }),
  reasons: ['csrf_failed'],
})
