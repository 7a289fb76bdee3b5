// The current sign-in. Scripts cannot read the cookie, so the page asks the server.
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import type { SignInKind } from '../../src/contract/session.ts'
import { api, rememberCsrfToken } from './api.ts'
import { keptDrafts } from './kept-drafts.ts'
import { live } from './live.ts'

/** Null if not signed in. */
async function keepToken<T extends { csrfToken: string } | null>(
  kind: SignInKind,
  requested: Promise<{ signedIn: T }>,
): Promise<T> {
  const { signedIn } = await requested
  rememberCsrfToken(kind, signedIn?.csrfToken)
  return signedIn
}

const accountQuery = queryOptions({
  queryKey: ['sign-in', 'account'],
  queryFn: ({ signal }) => keepToken('account', api.signedIn(undefined, { signal })),
  staleTime: Number.POSITIVE_INFINITY,
})
const operatorQuery = queryOptions({
  queryKey: ['sign-in', 'operator'],
  queryFn: ({ signal }) => keepToken('operator', api.operatorSignedIn(undefined, { signal })),
  staleTime: Number.POSITIVE_INFINITY,
})

export const useAccount = () => useQuery(accountQuery)
export const useOperator = () => useQuery(operatorQuery)

export function useSigning() {
  const queries = useQueryClient()
  return {
    async signIn(kind: SignInKind, key: string): Promise<void> {
      if (kind === 'account') {
        queries.setQueryData(accountQuery.queryKey, await keepToken(kind, api.signIn({ body: { key } })))
      } else {
        const signedIn = await keepToken(kind, api.operatorSignIn({ body: { key } }))
        queries.setQueryData(operatorQuery.queryKey, signedIn)
      }
    },
    async signOut(kind: SignInKind): Promise<void> {
      await (kind === 'account' ? api.signOut() : api.operatorSignOut())
      forget(queries, kind)
      // What was typed must not wait in the browser for its next user. After a sign-in that has only expired it does.
      if (kind === 'account') keptDrafts.forget()
    },
  }
}

/** Removes all data that was read during the sign-in. */
export function forget(queries: QueryClient, kind: SignInKind): void {
  rememberCsrfToken(kind, undefined)
  if (kind === 'account') live.stop()
  queries.removeQueries({
    predicate: ({ queryKey: [first] }) =>
      first !== 'sign-in' && (first === 'operator') === (kind === 'operator'),
  })
  queries.setQueryData(kind === 'account' ? accountQuery.queryKey : operatorQuery.queryKey, null)
}
