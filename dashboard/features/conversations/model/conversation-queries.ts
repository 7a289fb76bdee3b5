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
import type { Chat as ChatSchema } from '../../../../src/contract/contacts.ts'
import type { EventData, EventName } from '../../../../src/contract/events.ts'
import { api } from '../../../gateway/api.ts'
import { type LiveEvent, live } from '../../../gateway/live.ts'
import { pollMs } from '../../../gateway/queries.ts'
import { isStatus, type OpenChat } from './chat-address.ts'
import {
  type Conversation,
  nextPage,
  withNewest,
  withOlder,
  withoutDeleted,
  withScheduled,
  withStar,
  withUpdate,
  withUpsert,
} from './conversation.ts'
import type { Message } from './message-fields.ts'

export type ListedChat = z.output<typeof ChatSchema>
export interface ListedInstance {
  apiInstanceName: string
  displayName: string
  /** The phone number; null before the instance is paired. */
  number: string | null
}

const CHATS_A_PAGE = 100
const MESSAGES_A_PAGE = 50
/** Scheduled messages that a conversation shows at most; the list of scheduled messages has all. */
const MOST_SCHEDULED = 100
/** Throttle: the chats of a busy instance are refetched at most this often. */
const CHATS_REFRESH_MS = 400
const CHANGES_CHATS: ReadonlySet<EventName> = new Set([
  'messages.upsert',
  'messages.update',
  'chats.update',
  'labels.update',
  'labels.association',
  'contacts.update',
  'contacts.merged',
])

// These keys differ from those in queries.ts, because those are invalidated for every instance.
const chatsKey = (instanceName: string) => ['chat-list', instanceName]
const conversationKey = ({ instanceName, chat }: OpenChat) => ['conversation', instanceName, chat]

export interface ChatsRead {
  instanceName: string
  chats: readonly ListedChat[]
  hasMore: boolean
}

/** Which chats are listed. */
export type Shelf = 'all' | 'current' | 'archived'
/** What else the list is restricted to. */
export interface ListFilter {
  label?: string
  /** The id of a user, or `none`. */
  assignedTo?: string
}
const FILTERS = { all: {}, current: { archived: 'false' }, archived: { archived: 'true' } } as const

const chatsQuery = (instanceName: string, pages: number, shelf: Shelf, filter: ListFilter) =>
  queryOptions({
    queryKey: [...chatsKey(instanceName), pages, shelf, filter],
    async queryFn({ signal }): Promise<ChatsRead> {
      const chats = new Map<string, ListedChat>()
      const common = { instanceName, limit: String(CHATS_A_PAGE), ...FILTERS[shelf], ...filter }
      let hasMore = true
      for (let page = 1; hasMore && page <= pages; page += 1) {
        const read = await api.listChats({ query: { ...common, page: String(page) } }, { signal })
        for (const chat of read.chats) chats.set(chat.remoteJid, chat)
        hasMore = read.hasMore
      }
      // Pinned chats are at the top of the list, even if they are older than its pages.
      if (hasMore && shelf === 'current') {
        const { chats: pinned } = await api.listChats({ query: { ...common, pinned: 'true' } }, { signal })
        for (const chat of pinned) chats.set(chat.remoteJid, chat)
      }
      return { instanceName, chats: [...chats.values()], hasMore }
    },
    placeholderData: keepPreviousData,
    refetchInterval: pollMs,
  })

/** Without a filter for an instance, its chats are not read. */
type FilterOf = (instanceName: string) => ListFilter | undefined
const unfiltered: FilterOf = () => ({})

/** The latest chats of these instances, `pages` pages of each. */
export function useChats(
  instanceNames: readonly string[],
  pages: number,
  shelf: Shelf = 'all',
  filterOf: FilterOf = unfiltered,
) {
  const queries = useQueryClient()
  useEffect(() => refreshChats(queries), [queries])
  return useQueries({
    queries: instanceNames.flatMap((name) => {
      const filter = filterOf(name)
      return filter ? [chatsQuery(name, pages, shelf, filter)] : []
    }),
    combine: (results) => ({
      read: results.flatMap(({ data }) => (data === undefined ? [] : [data])),
      isPending: results.some(({ isPending }) => isPending),
      error: results.find(({ error }) => error !== null)?.error ?? null,
    }),
  })
}

const chatKey = ({ instanceName, chat }: OpenChat) => [...chatsKey(instanceName), 'one', chat]

/** The open chat with its settings; undefined for status posts, and before its first message. */
export function useChat(open: OpenChat): ListedChat | undefined {
  const { instanceName, chat } = open
  const queries = useQueryClient()
  useEffect(() => refreshChats(queries), [queries])
  const { data } = useQuery({
    queryKey: chatKey(open),
    async queryFn({ signal }): Promise<ListedChat | null> {
      const { chats } = await api.listChats({ query: { instanceName, chat } }, { signal })
      return chats[0] ?? null
    },
    enabled: !isStatus(chat),
    refetchInterval: pollMs,
  })
  return data ?? undefined
}

/** Shows the answer to a change of the chat, and reads the lists that contain it. */
export function showChat(queries: QueryClient, open: OpenChat, chat: ListedChat): void {
  queries.setQueryData(chatKey(open), chat)
  void rereadChats(queries, open.instanceName)
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

/** The members of a group, from the copy of the gateway: also while the instance is offline. */
export const membersQuery = ({ instanceName, chat }: OpenChat) =>
  queryOptions({
    queryKey: ['groups', instanceName, chat, 'members'],
    async queryFn({ signal }) {
      const { groups } = await api.listGroups({ query: { instanceName, participants: 'true' } }, { signal })
      return groups.find(({ groupJid }) => groupJid === chat)?.participants ?? []
    },
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
      const requestedWith = known()
      const waiting = { instanceName, chat, status: 'scheduled', limit: String(MOST_SCHEDULED) } as const
      const [page, scheduled] = await Promise.all([
        readPage(1, signal),
        api.listMessages({ query: waiting }, { signal }),
      ])
      // Read after the response, so that events that arrived meanwhile are included.
      const current = withoutDeleted(known(), page, requestedWith)
      return withScheduled(withNewest(current, page), scheduled.messages)
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
  if (event.event === 'chats.update') {
    const data = event.data as EventData<'chats.update'>
    const isCleared = data.chat === open.chat && data.lastMessageTimestamp === null
    if (isCleared && known.messages.length > 0) void queries.invalidateQueries({ queryKey: key })
  }
}

/** A star causes no event, and the message can be older than the page that is read again. */
export function showStar(queries: QueryClient, open: OpenChat, message: Message): void {
  queries.setQueryData<Conversation>(conversationKey(open), (known) => known && withStar(known, message))
}

/** For changes by this page that cause no event. */
export const rereadChats = (queries: QueryClient, instanceName: string): Promise<void> =>
  queries.invalidateQueries({ queryKey: chatsKey(instanceName) })
export const rereadConversation = (queries: QueryClient, open: OpenChat): Promise<void> =>
  queries.invalidateQueries({ queryKey: conversationKey(open) })
