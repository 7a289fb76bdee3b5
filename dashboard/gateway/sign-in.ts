// The current sign-in. Scripts cannot read the cookie, so the page asks the server.
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { SignInKind } from '../../src/contract/session.ts'
import { api, rememberCsrfToken } from './api.ts'
import { keptDrafts } from './kept-drafts.ts'
import { live } from './live.ts'
import { type Can, canWith, rememberKey, type SignedInKey } from './permission.ts'

/** Null if not signed in. */
async function keepToken<T extends { csrfToken: string } | null>(
  kind: SignInKind,
  requested: Promise<{ signedIn: T }>,
): Promise<T> {
  const { signedIn } = await requested
  rememberCsrfToken(kind, signedIn?.csrfToken)
  return signedIn
}

async function keepAccount<T extends ({ csrfToken: string } & SignedInKey) | null>(
  requested: Promise<{ signedIn: T }>,
): Promise<T> {
  const signedIn = await keepToken('account', requested)
  rememberKey(signedIn)
  return signedIn
}

const accountQuery = queryOptions({
  queryKey: ['sign-in', 'account'],
  queryFn: ({ signal }) => keepAccount(api.signedIn(undefined, { signal })),
  staleTime: Number.POSITIVE_INFINITY,
})
const operatorQuery = queryOptions({
  queryKey: ['sign-in', 'operator'],
  queryFn: ({ signal }) => keepToken('operator', api.operatorSignedIn(undefined, { signal })),
  staleTime: Number.POSITIVE_INFINITY,
})

export const useAccount = () => useQuery(accountQuery)
export const useOperator = () => useQuery(operatorQuery)

/** Tells what the key of the sign-in can call. The function changes only with the key. */
export function useCan(): Can {
  const key = useAccount().data
  return useMemo(() => canWith(key), [key])
}

export function useSigning() {
  const queries = useQueryClient()
  return {
    async signIn(kind: SignInKind, key: string): Promise<void> {
      if (kind === 'account') {
        queries.setQueryData(accountQuery.queryKey, await keepAccount(api.signIn({ body: { key } })))
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
  if (kind === 'account') rememberKey(null)
  if (kind === 'account') live.stop()
  queries.removeQueries({
    predicate: ({ queryKey: [first] }) =>
      first !== 'sign-in' && (first === 'operator') === (kind === 'operator'),
  })
  queries.setQueryData(kind === 'account' ? accountQuery.queryKey : operatorQuery.queryKey, null)
}
