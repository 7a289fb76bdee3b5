// Signing in: what stands in the dashboard's cookie, sealed, so that only this gateway can make or read it (decision 0040).
import { randomBytes } from 'node:crypto'
import type { Box } from '../store/vault.ts'
import { hashKey } from './key-text.ts'

/** Who is signed in with a cookie: an account's key, or the operator's. */
export type SignInKind = 'account' | 'operator'

/** The vault's scope of the key that cookies are sealed with. */
export const SIGN_IN_SCOPE = 'sign-ins'
export const SIGN_IN_MS = 12 * 60 * 60 * 1000

export interface SignIn {
  /** Of the key, never the key itself: revoked or changed, it finds nobody any more. */
  keyHash: string
  csrfToken: string
  expiresAt: number
}

export interface SignIns {
  /** A new sign-in and the text of its cookie. */
  make(kind: SignInKind, key: string): { signIn: SignIn; sealed: string }
  /** Undefined for anything that this gateway did not seal, and for what has run out. */
  read(kind: SignInKind, sealed: string): SignIn | undefined
}

/** A cookie of an account does not open as one of the operator: the place is part of the seal. */
const placeOf = (kind: SignInKind) => ({ table: 'cookies', column: 'sealed', row: kind })

export function createSignIns(box: Box, clock: () => number): SignIns {
  return {
    make(kind, key) {
      const signIn: SignIn = {
        keyHash: hashKey(key),
        csrfToken: randomBytes(24).toString('base64url'),
        expiresAt: clock() + SIGN_IN_MS,
      }
      const sealed = box.seal(placeOf(kind), Buffer.from(JSON.stringify(signIn)))
      return { signIn, sealed: Buffer.from(sealed).toString('base64url') }
    },
    read(kind, sealed) {
      try {
        const plain = box.unseal(placeOf(kind), Buffer.from(sealed, 'base64url'))
        const signIn = JSON.parse(Buffer.from(plain).toString()) as SignIn
        return signIn.expiresAt > clock() ? signIn : undefined
      } catch {
        return undefined
      }
    },
  }
}
