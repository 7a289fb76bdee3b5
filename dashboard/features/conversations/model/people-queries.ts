// Queries for the people of a chat and of the account: users, labels, the saved contact, and what the network says of a person.
import { queryOptions, useQueries, useQuery } from '@tanstack/react-query'
import { api } from '../../../gateway/api.ts'
import type { OpenChat } from './chat-address.ts'

/** They change rarely, and without an event. */
const RARE_MS = 60_000
/** The most that one call answers. Teams that need more are larger than this page is made for. */
const MOST_USERS = 100
const MEDIA_SHOWN = 9

const usersQuery = queryOptions({
  queryKey: ['users'],
  queryFn: async ({ signal }) =>
    (await api.listUsers({ query: { limit: String(MOST_USERS) } }, { signal })).users,
  staleTime: RARE_MS,
})
export const useUsers = () => useQuery(usersQuery).data ?? []

const labelsQuery = (instanceName: string) =>
  queryOptions({
    queryKey: ['labels', instanceName],
    queryFn: async ({ signal }) => ({
      instanceName,
      labels: (await api.listLabels({ query: { instanceName } }, { signal })).labels,
    }),
    staleTime: RARE_MS,
  })

/** The labels of each of these instances. */
export const useLabels = (instanceNames: readonly string[]) =>
  useQueries({
    queries: instanceNames.map(labelsQuery),
    combine: (results) => results.flatMap(({ data }) => (data === undefined ? [] : [data])),
  })

export const contactQuery = (id: number | null) =>
  queryOptions({
    queryKey: ['contacts', 'one', id],
    queryFn: async ({ signal }) => (await api.getContact({ params: { id: String(id) } }, { signal })).contact,
    enabled: id !== null,
    // A form must not change under the hands of its reader.
    refetchOnWindowFocus: false,
  })

/** Asks the network: fails while the instance is not connected. */
export const personQuery = ({ instanceName, chat }: OpenChat) =>
  queryOptions({
    queryKey: ['person', instanceName, chat],
    queryFn: async ({ signal }) =>
      (await api.getPerson({ params: { number: chat }, query: { instanceName } }, { signal })).person,
    staleTime: RARE_MS,
    retry: false,
  })

export const commonGroupsQuery = ({ instanceName, chat }: OpenChat) =>
  queryOptions({
    queryKey: ['groups', instanceName, 'of', chat],
    queryFn: async ({ signal }) =>
      (await api.listGroups({ query: { instanceName, member: chat } }, { signal })).groups,
    staleTime: RARE_MS,
  })

/** The last pictures and videos of a chat, newest first. */
export const chatMediaQuery = ({ instanceName, chat }: OpenChat) =>
  queryOptions({
    queryKey: ['messages', 'media', instanceName, chat],
    async queryFn({ signal }) {
      const limit = String(MEDIA_SHOWN)
      const pages = await Promise.all(
        (['image', 'video'] as const).map((type) =>
          api.listMessages({ query: { instanceName, chat, type, limit } }, { signal }),
        ),
      )
      return pages
        .flatMap(({ messages }) => messages)
        .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))
        .slice(0, MEDIA_SHOWN)
    },
  })

export const quickRepliesQuery = queryOptions({
  queryKey: ['quick-replies'],
  queryFn: async ({ signal }) => (await api.listQuickReplies(undefined, { signal })).quickReplies,
  staleTime: RARE_MS,
})
