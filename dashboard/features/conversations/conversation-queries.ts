// Queries for chats, groups and one conversation, kept up to date by events.
import {
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect } from 'react'
import type { z } from 'zod'
import type { Chat as ChatSchema } from '../../../src/contract/contacts.ts'
import type { EventData, EventName } from '../../../src/contract/events.ts'
import { api } from '../../gateway/api.ts'
import { type LiveEvent, live } from '../../gateway/live.ts'
import { pollMs } from '../../gateway/queries.ts'
import type { OpenChat } from './chat-address.ts'
import { type Conversation, nextPage, withNewest, withOlder, withUpdate, withUpsert } from './conversation.ts'

export type Chat = z.output<typeof ChatSchema>

const CHATS_A_PAGE = 100
const MESSAGES_A_PAGE = 50
/** Throttle: the chats of a busy instance are refetched at most this often. */
const CHATS_REFRESH_MS = 400
const CHANGES_CHATS: ReadonlySet<EventName> = new Set(['messages.upsert', 'chats.update', 'contacts.update'])

// These keys differ from those in queries.ts, because those are invalidated for every instance.
const chatsKey = (instanceName: string) => ['chat-list', instanceName]
const conversationKey = ({ instanceName, chat }: OpenChat) => ['conversation', instanceName, chat]

export interface ChatsRead {
  instanceName: string
  chats: readonly Chat[]
  hasMore: boolean
}

const chatsQuery = (instanceName: string, pages: number) =>
  queryOptions({
    queryKey: [...chatsKey(instanceName), pages],
    async queryFn({ signal }): Promise<ChatsRead> {
      const chats = new Map<string, Chat>()
      let hasMore = true
      for (let page = 1; hasMore && page <= pages; page += 1) {
        const query = { instanceName, page: String(page), limit: String(CHATS_A_PAGE) }
        const read = await api.listChats({ query }, { signal })
        for (const chat of read.chats) chats.set(chat.remoteJid, chat)
        hasMore = read.hasMore
      }
      return { instanceName, chats: [...chats.values()], hasMore }
    },
    placeholderData: keepPreviousData,
    refetchInterval: pollMs,
  })

/** The latest chats of these instances, `pages` pages of each. */
export function useChats(instanceNames: readonly string[], pages: number) {
  const queries = useQueryClient()
  useEffect(() => refreshChats(queries), [queries])
  return useQueries({
    queries: instanceNames.map((name) => chatsQuery(name, pages)),
    combine: (results) => ({
      read: results.flatMap(({ data }) => (data === undefined ? [] : [data])),
      isPending: results.some(({ isPending }) => isPending),
      error: results.find(({ error }) => error !== null)?.error ?? null,
    }),
  })
}

function refreshChats(queries: QueryClient): () => void {
  const timers = new Map<string, ReturnType<typeof setTimeout>>()
  const stop = live.onEvent(({ event, instance }) => {
    const name = instance.apiInstanceName
    if (!CHANGES_CHATS.has(event) || timers.has(name)) return
    const refresh = () => {
      timers.delete(name)
      void queries.invalidateQueries({ queryKey: chatsKey(name) })
    }
    timers.set(name, setTimeout(refresh, CHATS_REFRESH_MS))
  })
  return () => {
    stop()
    for (const timer of timers.values()) clearTimeout(timer)
  }
}

export const groupsQuery = (instanceName: string) =>
  queryOptions({
    queryKey: ['groups', instanceName],
    queryFn: ({ signal }) => api.listGroups({ query: { instanceName } }, { signal }),
    staleTime: 10_000,
  })

/** The groups of these instances. */
export const useGroups = (instanceNames: readonly string[]) =>
  useQueries({
    queries: instanceNames.map(groupsQuery),
    combine: (results) => ({
      groups: results.flatMap(({ data }) =>
        (data?.groups ?? []).map((group) => ({ group, instanceName: data?.instance.apiInstanceName ?? '' })),
      ),
      isPending: results.some(({ isPending }) => isPending),
    }),
  })

/** One conversation from its newest message; `older` loads more. */
export function useConversation(open: OpenChat) {
  const queries = useQueryClient()
  const { instanceName, chat } = open
  const readPage = (page: number, signal?: AbortSignal) =>
    api.listMessages(
      { query: { instanceName, chat, page: String(page), limit: String(MESSAGES_A_PAGE) } },
      signal ? { signal } : undefined,
    )
  const known = () => queries.getQueryData<Conversation>(conversationKey(open))
  const query = useQuery({
    queryKey: conversationKey(open),
    async queryFn({ signal }): Promise<Conversation> {
      const page = await readPage(1, signal)
      // Read after the response, so that events that arrived meanwhile are included.
      return withNewest(known(), page)
    },
    refetchInterval: pollMs,
  })
  useEffect(
    () => live.onEvent((event) => takeEvent(queries, { instanceName, chat }, event)),
    [queries, instanceName, chat],
  )
  const older = useMutation({
    async mutationFn() {
      const before = known()
      if (!before) return
      const page = await readPage(nextPage(before, MESSAGES_A_PAGE))
      queries.setQueryData<Conversation>(conversationKey(open), (now) => now && withOlder(now, page))
    },
  })
  return { query, older }
}

function takeEvent(queries: QueryClient, open: OpenChat, event: LiveEvent): void {
  const key = conversationKey(open)
  const known = queries.getQueryData<Conversation>(key)
  if (!known || event.instance.apiInstanceName !== open.instanceName) return
  if (event.event === 'messages.upsert') {
    const data = event.data as EventData<'messages.upsert'>
    if (data.chat === open.chat) queries.setQueryData(key, withUpsert(known, open.instanceName, data))
  }
  if (event.event === 'messages.update') {
    const data = event.data as EventData<'messages.update'>
    const next = withUpdate(known, data)
    if (next) queries.setQueryData(key, next)
    // It was sent to another form of the number and is assigned to this chat only now (decision 0031).
    else if (data.chat === open.chat) void queries.invalidateQueries({ queryKey: key })
  }
}

/** For changes by this page that cause no event. */
export const rereadChats = (queries: QueryClient, instanceName: string): Promise<void> =>
  queries.invalidateQueries({ queryKey: chatsKey(instanceName) })
export const rereadConversation = (queries: QueryClient, open: OpenChat): Promise<void> =>
  queries.invalidateQueries({ queryKey: conversationKey(open) })
