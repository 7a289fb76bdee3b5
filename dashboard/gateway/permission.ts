// What the key of the sign-in can call, by the rule of the contract: what it cannot call is neither shown nor requested.
import { routeTable } from 'virtual:route-table'
import type { Client } from '../../src/contract/client.ts'
import type { Route } from '../../src/contract/route.ts'
import { hasScope, type Scope } from '../../src/contract/scopes.ts'
import { type KeyRights, mayCall, type Walls } from '../../src/contract/wall-values.ts'

export type CallId = keyof Client

const needsOf = (id: CallId) => routeTable[id]?.[3] as Pick<Route, 'scopes' | 'wall'> | undefined

/** Tells whether the key can call all of these routes. */
export type Can = (...ids: readonly CallId[]) => boolean

export type SignedInKey = Pick<KeyRights, 'scopes'> & Walls

/** Without a key of an account, the gateway alone decides: an operator is signed in, or the sign-in is still being read. */
export const canWith =
  (key: SignedInKey | null | undefined): Can =>
  (...ids) =>
    !key ||
    ids.every((id) => {
      const needs = needsOf(id)
      return !needs || mayCall({ scopes: key.scopes, walls: key }, needs)
    })

let current: Can = canWith(undefined)
export function rememberKey(key: SignedInKey | null): void {
  current = canWith(key)
}

/** For code outside of components, which use `useCan`. */
export const can: Can = (...ids) => current(...ids)

export interface Lack {
  /** Empty: the key has the scopes, and its walls refuse. */
  scopes: readonly Scope[]
  /** Whether one of the scopes is enough. */
  isOneEnough: boolean
}

/** What a key lacks for these routes. A scope that is enough for all of them is named alone. */
export function lackOf(key: SignedInKey, ids: readonly CallId[]): Lack {
  const missing = ids.flatMap((id) => {
    const scopes = needsOf(id)?.scopes
    return scopes && !hasScope(key.scopes, scopes) ? [scopes] : []
  })
  const enough = (missing[0] ?? []).filter((scope) => missing.every((anyOf) => hasScope([scope], anyOf)))
  if (enough.length > 0) return { scopes: enough, isOneEnough: true }
  return { scopes: [...new Set(missing.flatMap(([first]) => first ?? []))], isOneEnough: false }
}
