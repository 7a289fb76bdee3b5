// The caller of a request: the account that its key belongs to, with plan and scopes.
import type { Scope } from '../contract/route.ts'
import type { Walls } from '../rules/walls.ts'
import type { AccountRow, PlanRow } from '../store/queries/accounts.ts'

export interface KeyHolder {
  keyId: number
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

export const mayUse = (caller: Pick<KeyHolder, 'scopes'>, anyOf: readonly Scope[]): boolean =>
  caller.scopes.length === 0 || anyOf.some((scope) => caller.scopes.includes(scope))
