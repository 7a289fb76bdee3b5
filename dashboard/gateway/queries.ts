// The queries of the pages. Events invalidate them by key (live.ts). Keys of the operator begin with `operator`.
import { keepPreviousData, QueryCache, QueryClient, queryOptions } from '@tanstack/react-query'
import type { DeliveryStatus } from '../../src/contract/deliveries.ts'
import type { ConnectionState } from '../../src/contract/instances.ts'
import type { StatisticsRange } from '../../src/contract/values.ts'
import { ApiError, api } from './api.ts'
import { live } from './live.ts'
import { forget } from './sign-in.ts'

/** Slow polling while the event stream is connected, fast polling while it is not. */
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
        // Retries only network errors and gateway errors of proxies; other errors would repeat.
        retry: (tries, error) =>
          tries < 2 && error instanceof ApiError && (error.status === 0 || error.status >= 502),
      },
    },
  })
  return queries
}

const HEALTH_MS = 15_000

/** Public, because the sign-in page shows the hold too. */
export const healthQuery = queryOptions({
  queryKey: ['health'],
  queryFn: ({ signal }) => api.healthz(undefined, { signal }),
  refetchInterval: HEALTH_MS,
})

export const instancesQuery = queryOptions({
  queryKey: ['instances'],
  queryFn: ({ signal }) => api.listInstances(undefined, { signal }),
  refetchInterval: pollMs,
})

/** Counts cause no events. */
const STATISTICS_MS = 15_000
/** Days of the reader begin at midnight where the reader is. */
const readerTime = () => ({ utcOffsetMinutes: String(-new Date().getTimezoneOffset()) })

export const statisticsQuery = (range: StatisticsRange, instanceName: string) =>
  queryOptions({
    queryKey: ['statistics', range, instanceName],
    queryFn: ({ signal }) =>
      api.getStatistics(
        { query: { range, ...readerTime(), ...(instanceName === '' ? {} : { instanceName }) } },
        { signal },
      ),
    placeholderData: keepPreviousData,
    refetchInterval: STATISTICS_MS,
  })

export const operatorStatisticsQuery = (range: StatisticsRange, accountId: string | undefined) =>
  queryOptions({
    queryKey: ['operator', 'statistics', range, accountId],
    queryFn: ({ signal }) =>
      api.adminGetStatistics(
        { query: { range, ...readerTime(), ...(accountId === undefined ? {} : { accountId }) } },
        { signal },
      ),
    placeholderData: keepPreviousData,
    refetchInterval: STATISTICS_MS,
  })

export const limitsQuery = queryOptions({
  queryKey: ['limits'],
  queryFn: ({ signal }) => api.accountLimits(undefined, { signal }),
})

/** The length of the queue changes without events, so this is polled more often. */
export const activityQuery = (instanceName: string) =>
  queryOptions({
    queryKey: ['activity', instanceName],
    queryFn: ({ signal }) => api.instanceActivity({ query: { instanceName } }, { signal }),
    refetchInterval: 2 * POLL_MS,
  })

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks'],
  queryFn: ({ signal }) => api.listWebhooks(undefined, { signal }),
  refetchInterval: pollMs,
})

/** Only of an instance that is connected with Chatwoot. */
export const chatwootQuery = (instanceName: string) =>
  queryOptions({
    queryKey: ['chatwoot', instanceName],
    queryFn: ({ signal }) => api.getChatwoot({ params: { instanceName } }, { signal }),
    refetchInterval: pollMs,
  })

export const destinationsQuery = queryOptions({
  queryKey: ['destinations'],
  queryFn: ({ signal }) => api.listDestinations(undefined, { signal }),
  refetchInterval: pollMs,
})

export const webhookQuery = (id: string) =>
  queryOptions({
    queryKey: ['webhooks', id],
    queryFn: ({ signal }) => api.getWebhook({ params: { id } }, { signal }),
    refetchInterval: 2 * POLL_MS,
  })

export const destinationQuery = (id: string) =>
  queryOptions({
    queryKey: ['destinations', id],
    queryFn: ({ signal }) => api.getDestination({ params: { id } }, { signal }),
    refetchInterval: 2 * POLL_MS,
  })

/** What gets deliveries. */
export interface DeliveryReceiver {
  kind: 'webhook' | 'destination'
  id: string
}

/** Deliveries of both kinds have the same form; only the calls differ. */
export const DELIVERY_CALLS = {
  webhook: {
    list: api.listDeliveries,
    get: api.getDelivery,
    replay: api.replayDelivery,
    replaySince: api.replayWebhook,
  },
  destination: {
    list: api.listDestinationDeliveries,
    get: api.getDestinationDelivery,
    replay: api.replayDestinationDelivery,
    replaySince: api.replayDestination,
  },
} as const

/** Attempts cause no events, so deliveries are polled even while the stream is connected. */
export const deliveriesQuery = (
  { kind, id }: DeliveryReceiver,
  status: DeliveryStatus | 'any',
  page: number,
) =>
  queryOptions({
    queryKey: ['deliveries', kind, id, status, page],
    queryFn: ({ signal }) =>
      DELIVERY_CALLS[kind].list(
        {
          params: { id },
          query: { page: String(page), limit: '25', ...(status === 'any' ? {} : { status }) },
        },
        { signal },
      ),
    placeholderData: keepPreviousData,
    refetchInterval: POLL_MS,
  })

export const deliveryQuery = ({ kind, id }: DeliveryReceiver, deliveryId: number) =>
  queryOptions({
    queryKey: ['deliveries', kind, id, 'one', deliveryId],
    queryFn: ({ signal }) =>
      DELIVERY_CALLS[kind].get({ params: { id, deliveryId: String(deliveryId) } }, { signal }),
    refetchInterval: POLL_MS,
  })

export interface ContactSearch {
  instanceName: string
  search: string
  includeGroups: boolean
  page: number
}
export const contactsQuery = ({ instanceName, search, includeGroups, page }: ContactSearch) =>
  queryOptions({
    queryKey: ['contacts', instanceName, search, includeGroups, page],
    queryFn: ({ signal }) =>
      api.listContacts(
        {
          query: {
            instanceName,
            page: String(page),
            includeGroups: includeGroups ? 'true' : 'false',
            ...(search === '' ? {} : { search }),
          },
        },
        { signal },
      ),
    placeholderData: keepPreviousData,
  })

/** Leases change every few seconds. */
export const nodesQuery = queryOptions({
  queryKey: ['operator', 'nodes'],
  queryFn: ({ signal }) => api.adminListNodes(undefined, { signal }),
  refetchInterval: 3000,
})

export const plansQuery = (page: number) =>
  queryOptions({
    queryKey: ['operator', 'plans', page],
    queryFn: ({ signal }) => api.adminListPlans({ query: { page: String(page) } }, { signal }),
    placeholderData: keepPreviousData,
  })

/** The plans to choose from, up to the page limit of the API. */
export const planChoicesQuery = queryOptions({
  queryKey: ['operator', 'plans', 'choices'],
  queryFn: ({ signal }) => api.adminListPlans({ query: { limit: '100' } }, { signal }),
})

export const accountsQuery = (page: number) =>
  queryOptions({
    queryKey: ['operator', 'accounts', page],
    queryFn: ({ signal }) => api.adminListAccounts({ query: { page: String(page) } }, { signal }),
    placeholderData: keepPreviousData,
  })

interface AllInstancesFilter {
  /** Undefined for all accounts. */
  accountId: string | undefined
  state: ConnectionState | 'any'
  search: string
  page: number
}

/** The operator has no event stream, so the list is polled. */
export const allInstancesQuery = ({ accountId, state, search, page }: AllInstancesFilter) =>
  queryOptions({
    queryKey: ['operator', 'instances', accountId, state, search, page],
    queryFn: ({ signal }) =>
      api.adminListInstances(
        {
          query: {
            page: String(page),
            limit: '25',
            ...(accountId === undefined ? {} : { accountId }),
            ...(state === 'any' ? {} : { state }),
            ...(search === '' ? {} : { search }),
          },
        },
        { signal },
      ),
    placeholderData: keepPreviousData,
    refetchInterval: POLL_MS * 2,
  })

export const accountQuery = (id: string) =>
  queryOptions({
    queryKey: ['operator', 'accounts', 'one', id],
    queryFn: ({ signal }) => api.adminGetAccount({ params: { id } }, { signal }),
  })

export const usersQuery = (id: string, page: number) =>
  queryOptions({
    queryKey: ['operator', 'users', id, page],
    queryFn: ({ signal }) =>
      api.adminListUsers({ params: { id }, query: { page: String(page), limit: '25' } }, { signal }),
    placeholderData: keepPreviousData,
  })
