// What pages read, under the keys that events make out of date (live.ts). Keys of the operator begin with `operator`.
import { keepPreviousData, QueryCache, QueryClient, queryOptions } from '@tanstack/react-query'
import { ApiError, api } from './api.ts'
import { live } from './live.ts'
import { forget } from './sign-in.ts'

/** While the stream carries events there is little to poll for; without it, pages look often enough to seem live. */
const POLL_MS = 2500
const POLL_WHILE_LIVE_MS = 30_000
export const pollMs = (): number => (live.state() === 'live' ? POLL_WHILE_LIVE_MS : POLL_MS)

export function createQueries(): QueryClient {
  const queries: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError(error, { queryKey }) {
        if (!(error instanceof ApiError) || error.status !== 401) return
        forget(queries, queryKey[0] === 'operator' ? 'operator' : 'account')
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 1000,
        // A refusal stays one when asked again; what never arrived may arrive the next time.
        retry: (tries, error) =>
          tries < 2 && error instanceof ApiError && (error.status === 0 || error.status >= 502),
      },
    },
  })
  return queries
}

export const instancesQuery = queryOptions({
  queryKey: ['instances'],
  queryFn: ({ signal }) => api.listInstances(undefined, { signal }),
  refetchInterval: pollMs,
})

export const limitsQuery = queryOptions({
  queryKey: ['limits'],
  queryFn: ({ signal }) => api.accountLimits(undefined, { signal }),
})

export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: ({ signal }) => api.listApiKeys(undefined, { signal }),
})

/** The latest messages of an instance, newest first, perhaps of one status. */
export const messagesQuery = (instanceName: string, status?: 'queued' | 'failed', limit = '100') =>
  queryOptions({
    queryKey: ['messages', instanceName, status ?? 'all', limit],
    queryFn: ({ signal }) =>
      api.listMessages({ query: { instanceName, limit, ...(status ? { status } : {}) } }, { signal }),
    refetchInterval: () => pollMs() * 2,
  })

export const plansQuery = (page: number) =>
  queryOptions({
    queryKey: ['operator', 'plans', page],
    queryFn: ({ signal }) => api.adminListPlans({ query: { page: String(page) } }, { signal }),
    placeholderData: keepPreviousData,
  })

export const accountsQuery = (page: number) =>
  queryOptions({
    queryKey: ['operator', 'accounts', page],
    queryFn: ({ signal }) => api.adminListAccounts({ query: { page: String(page) } }, { signal }),
    placeholderData: keepPreviousData,
  })
