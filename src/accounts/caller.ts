// The caller of a request: the account that its key belongs to, with plan and scopes.

import type { Route } from '../contract/route.ts'
import { hasScope, type Scope } from '../contract/scopes.ts'
import type { Walls } from '../contract/wall-values.ts'
import { GatewayError } from '../errors.ts'
import type { AccountRow, PlanRow } from './account-queries.ts'

/** What a request was made with. An id says nothing without its kind: those of different kinds are equal numbers. */
export interface Credential {
  /** A key of the account, the token of one instance in a dialect, or the address that a Chatwoot posts to. */
  kind: 'api_key' | 'instance_token' | 'chatwoot_hook'
  /** Of the key, the instance or the webhook. */
  id: number
}

export interface KeyHolder {
  credential: Credential
  /** Empty: all scopes. */
  scopes: readonly Scope[]
  walls: Walls
  account: AccountRow
  plan: PlanRow
}

export interface Caller extends KeyHolder {
  /** Scheme, host and port of the request, for the URLs in its answer. */
  origin: string
}

/** For what only keys of accounts do: they alone have walls, and can be named by id. */
export function apiKeyId({ credential }: Pick<KeyHolder, 'credential'>): number {
  if (credential.kind !== 'api_key') throw new GatewayError('unauthorized')
  return credential.id
}

export const mayUse = (caller: Pick<KeyHolder, 'scopes'>, anyOf: readonly Scope[]): boolean =>
  hasScope(caller.scopes, anyOf)

const namesOf = (scopes: readonly Scope[]): string => scopes.map((scope) => `"${scope}"`).join(' or ')

/** The refusal of a key that has none of the needed scopes. */
export const scopeMissing = (needed: readonly Scope[]): GatewayError =>
  new GatewayError(
    'scope_missing',
    { needed },
    { message: `The API key needs the scope ${namesOf(needed)}.` },
  )

/** Throws unless the key has a scope of the route. */
export function requireScope(caller: Pick<KeyHolder, 'scopes'>, { scopes }: Pick<Route, 'scopes'>): void {
  if (scopes && !mayUse(caller, scopes)) throw scopeMissing(scopes)
}
