// Who makes a request: the account behind the key, with the plan it is judged by.
import type { Scope } from '../contract/route.ts'
import type { AccountRow, PlanRow } from '../store/queries/accounts.ts'

export interface Caller {
  keyId: number
  /** Empty: everything. */
  scopes: readonly Scope[]
  account: AccountRow
  plan: PlanRow
}

export const mayUse = (caller: Pick<Caller, 'scopes'>, anyOf: readonly Scope[]): boolean =>
  caller.scopes.length === 0 || anyOf.some((scope) => caller.scopes.includes(scope))
