// Queries of the sandbox network, and the long poll that invalidates them (decision 0050).
import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  skipToken,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import type { z } from 'zod'
import type { answers } from '../../../src/contract/sandbox-world.ts'
import { addressOf, api } from '../../gateway/api.ts'
import { useToasts } from '../../ui/toast.tsx'

type Answers = { [Name in keyof typeof answers]: z.output<(typeof answers)[Name]> }
export type WorldPhone = Answers['phone']['phone']
export type WorldGroup = Answers['group']['group']
export type WorldMessage = Answers['message']['message']
export type WorldCall = Answers['call']['call']
export type WorldChat = Answers['chats']['chats'][number]
type Change = Answers['changes']['changes'][number]
export type Typing = Extract<Change, { about: 'typing' }>

/** The chat of status posts. */
const PAGE = 50
/** Shorter than the idle timeout of common proxies. */
const WAIT_MS = 20_000
const AFTER_TROUBLE_MS = 2000
/** A typing indicator that is not repeated expires. */
const TYPING_SHOWN_MS = 12_000

export const phonesQuery = queryOptions({
  queryKey: ['sandbox', 'phones'],
  queryFn: ({ signal }) => api.sandboxListPhones(undefined, { signal }),
})
export const groupsQuery = queryOptions({
  queryKey: ['sandbox', 'groups'],
  queryFn: ({ signal }) => api.sandboxListGroups(undefined, { signal }),
})
/** The groups that the phone is in, as it shows them. */
export const phoneGroupsQuery = (number: string) =>
  queryOptions({
    queryKey: ['sandbox', 'groups', number],
    queryFn: ({ signal }) => api.sandboxListPhoneGroups({ params: { number } }, { signal }),
  })
export const callsQuery = (number: string) =>
  queryOptions({
    queryKey: ['sandbox', 'calls', number],
    queryFn: ({ signal }) => api.sandboxListCalls({ params: { number }, query: {} }, { signal }),
  })
export const faultsQuery = queryOptions({
  queryKey: ['sandbox', 'faults'],
  queryFn: ({ signal }) => api.sandboxListFaults(undefined, { signal }),
})
export const chatsQuery = (number: string) =>
  infiniteQueryOptions({
    queryKey: ['sandbox', 'chats', number],
    queryFn: ({ signal, pageParam }) =>
      api.sandboxListChats(
        { params: { number }, query: { page: String(pageParam), limit: String(PAGE) } },
        { signal },
      ),
    initialPageParam: 1,
    getNextPageParam: ({ hasMore }, _pages, page) => (hasMore ? page + 1 : undefined),
  })
/** The latest page first; within a page the oldest message first. */
export const chatMessagesQuery = (number: string, chat: string) =>
  infiniteQueryOptions({
    queryKey: ['sandbox', 'messages', number, chat],
    queryFn: ({ signal, pageParam }) =>
      api.sandboxListMessages(
        {
          params: { number },
          query: {
            chat,
            from: 'end',
            limit: String(PAGE),
            ...(pageParam === undefined ? {} : { before: String(pageParam) }),
          },
        },
        { signal },
      ),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ messages }) => (messages.length === PAGE ? messages[0]?.seq : undefined),
  })

/** The address of a picture as this phone sees it; its own without `of`. */
export const pictureOf = (number: string, id: string | null | undefined, of?: string): string | null =>
  id ? addressOf('sandboxGetPicture', { params: { number }, query: { id, ...(of ? { of } : {}) } }) : null

const typingKey = (number: string, chat: string) => ['sandbox', 'typing', number, chat]

/** Who is typing in this chat. A newer message ends it. */
export function useTyping(number: string, chat: string, lastReceivedId: string | undefined): Typing | null {
  const sign = useQuery<Typing | null>({ queryKey: typingKey(number, chat), queryFn: skipToken }).data ?? null
  const [seen, see] = useState({ sign, lastReceivedId })
  if (seen.sign !== sign) see({ sign, lastReceivedId })
  return seen.sign === sign && seen.lastReceivedId !== lastReceivedId ? null : sign
}

/** Resolves a number to a name. */
export function useNames(): (number: string) => string {
  const phones = useQuery(phonesQuery).data?.phones
  return useCallback(
    (number) => phones?.find((phone) => phone.number === number)?.name ?? `+${number}`,
    [phones],
  )
}

/** Runs an action of a phone and shows its error. The long poll delivers the resulting change. */
export function useAct(): (work: Promise<unknown>, then?: () => void) => void {
  const toasts = useToasts()
  return useCallback(
    (work, then) =>
      void work.then(
        () => then?.(),
        (error: unknown) => toasts.failed(error),
      ),
    [toasts],
  )
}

/** Invalidates queries on changes while the page is mounted and visible. */
export function useWorldChanges(isSandbox = true): void {
  const queries = useQueryClient()
  useEffect(() => {
    if (!isSandbox) return undefined
    const ended = new AbortController()
    void follow(queries, ended.signal)
    return () => ended.abort()
  }, [queries, isSandbox])
}

async function follow(queries: QueryClient, signal: AbortSignal): Promise<void> {
  let after: string | undefined
  while (!signal.aborted) {
    try {
      // A hidden tab does not hold a connection.
      await untilVisible(signal)
      const query = { waitMs: String(WAIT_MS), ...(after === undefined ? {} : { after }) }
      const news = await api.sandboxListChanges({ query }, { signal })
      after = news.cursor
      if (news.missed) void queries.invalidateQueries({ queryKey: ['sandbox'] })
      for (const change of news.changes) take(queries, change)
    } catch {
      if (!signal.aborted) await pause(AFTER_TROUBLE_MS, signal)
    }
  }
}

function take(queries: QueryClient, change: Change): void {
  const invalidate = (...queryKey: string[]) =>
    void queries.invalidateQueries({ queryKey: ['sandbox', ...queryKey] })
  if (change.about === 'messages') {
    invalidate('messages', change.number, change.chat)
    invalidate('chats', change.number)
  } else if (change.about === 'typing') {
    showTyping(queries, change)
  } else if (change.about === 'calls') {
    invalidate('calls', change.number)
  } else {
    for (const part of ['phones', 'groups', 'faults', 'chats']) invalidate(part)
  }
}

function showTyping(queries: QueryClient, sign: Typing): void {
  const key = typingKey(sign.number, sign.chat)
  queries.setQueryData(key, sign.state === 'paused' ? null : sign)
  setTimeout(() => {
    if (queries.getQueryData(key) === sign) queries.setQueryData(key, null)
  }, TYPING_SHOWN_MS)
}

function untilVisible(signal: AbortSignal): Promise<void> {
  if (document.visibilityState === 'visible') return Promise.resolve()
  return new Promise((resolve) => {
    const check = () => {
      if (document.visibilityState !== 'visible' && !signal.aborted) return
      document.removeEventListener('visibilitychange', check)
      resolve()
    }
    document.addEventListener('visibilitychange', check)
    signal.addEventListener('abort', check, { once: true })
  })
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
