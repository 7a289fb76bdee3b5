// Who is signed in. The cookies cannot be read here, so the server is asked; what it answers lives in memory alone.
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { ApiError, api, rememberCsrfToken } from './api.ts'
import { live } from './live.ts'

export type SignInKind = 'account' | 'operator'

/** Null: nobody. */
async function orNobody<T extends { csrfToken: string }>(
  kind: SignInKind,
  ask: Promise<T>,
): Promise<T | null> {
  try {
    const signedIn = await ask
    rememberCsrfToken(kind, signedIn.csrfToken)
    return signedIn
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null
    throw error
  }
}

const accountQuery = queryOptions({
  queryKey: ['sign-in', 'account'],
  queryFn: ({ signal }) => orNobody('account', api.signedIn(undefined, { signal })),
  staleTime: Number.POSITIVE_INFINITY,
})
const operatorQuery = queryOptions({
  queryKey: ['sign-in', 'operator'],
  queryFn: ({ signal }) => orNobody('operator', api.operatorSignedIn(undefined, { signal })),
  staleTime: Number.POSITIVE_INFINITY,
})

export const useAccount = () => useQuery(accountQuery)
export const useOperator = () => useQuery(operatorQuery)

export function useSigning() {
  const queries = useQueryClient()
  return {
    async signIn(kind: SignInKind, key: string): Promise<void> {
      if (kind === 'account') {
        const signedIn = await api.signIn({ body: { key } })
        rememberCsrfToken(kind, signedIn.csrfToken)
        queries.setQueryData(accountQuery.queryKey, signedIn)
      } else {
        const signedIn = await api.operatorSignIn({ body: { key } })
        rememberCsrfToken(kind, signedIn.csrfToken)
        queries.setQueryData(operatorQuery.queryKey, signedIn)
      }
    },
    async signOut(kind: SignInKind): Promise<void> {
      await (kind === 'account' ? api.signOut() : api.operatorSignOut())
      forget(queries, kind)
    },
  }
}

/** Nothing that was read while somebody was signed in outlives that. */
export function forget(queries: QueryClient, kind: SignInKind): void {
  rememberCsrfToken(kind, undefined)
  if (kind === 'account') live.stop()
  queries.removeQueries({
    predicate: ({ queryKey: [first] }) =>
      first !== 'sign-in' && (first === 'operator') === (kind === 'operator'),
  })
  queries.setQueryData(kind === 'account' ? accountQuery.queryKey : operatorQuery.queryKey, null)
}
