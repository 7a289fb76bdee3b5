// Watches the inbox on every page: the number of unread chats in the title, and desktop notifications while the page is hidden.

import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation } from 'wouter'
import type { EventData } from '../../src/contract/events.ts'
import { addressOfSelection } from '../features/conversations/model/chat-address.ts'
import { isMuted } from '../features/conversations/model/chat-choices.ts'
import { useChatTitle } from '../features/conversations/model/chat-title.ts'
import { api } from '../gateway/api.ts'
import { type LiveEvent, live } from '../gateway/live.ts'
import { instancesQuery, pollMs } from '../gateway/queries.ts'
import { useTexts } from '../ui/language.tsx'
import { showTitle } from '../ui/show-title.ts'
import { chosenNotices } from './notice-choice.ts'
import { mayNotify, noticeOf } from './notices.ts'
import { shellTexts } from './texts/shell-texts.ts'

/** As on the page of conversations. */
const MOST_INSTANCES = 20
/** Throttle: a busy instance is counted at most this often. */
const COUNT_MS = 2000

export function InboxWatch() {
  useUnreadTitle()
  useNotices()
  return null
}

function useUnreadTitle(): void {
  const queries = useQueryClient()
  const { data } = useQuery(instancesQuery)
  const names = (data?.instances ?? []).slice(0, MOST_INSTANCES).map(({ apiInstanceName }) => apiInstanceName)
  const unread = useQueries({
    queries: names.map((instanceName) => ({
      queryKey: ['unread', instanceName],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        api.listChats(
          { query: { instanceName, unread: 'true', archived: 'false', limit: '100' } },
          { signal },
        ),
      refetchInterval: pollMs,
    })),
    combine: (results) =>
      results.flatMap(({ data: read }) => read?.chats ?? []).filter((chat) => !isMuted(chat)).length,
  })
  useEffect(() => {
    showTitle({ unread })
  }, [unread])
  useEffect(() => () => showTitle({ unread: 0 }), [])
  useEffect(() => {
    const timers = new Map<string, ReturnType<typeof setTimeout>>()
    const stop = live.onEvent(({ event, instance: { apiInstanceName: name } }) => {
      if (event !== 'chats.update' || timers.has(name)) return
      const count = () => {
        timers.delete(name)
        void queries.invalidateQueries({ queryKey: ['unread', name] })
      }
      timers.set(name, setTimeout(count, COUNT_MS))
    })
    return () => {
      stop()
      for (const timer of timers.values()) clearTimeout(timer)
    }
  }, [queries])
}

/** Reads the chat first: its name, and whether it is muted. */
function useNotices(): void {
  const t = useTexts(shellTexts)
  const titleOf = useChatTitle()
  const [, go] = useLocation()
  useEffect(() => {
    const notify = async ({ instance: { apiInstanceName: instanceName }, data }: LiveEvent) => {
      const arrived = data as EventData<'messages.upsert'>
      const { chats } = await api.listChats({ query: { instanceName, chat: arrived.chat } })
      const [chat] = chats
      if (!chat) return
      const noticed = {
        title: titleOf(chat.remoteJid, chat),
        archived: chat.archived,
        isMuted: isMuted(chat),
      }
      const notice = noticeOf(arrived, noticed, chosenNotices(), t.notices.newMessage)
      if (!notice) return
      // A further message of the chat replaces the notification.
      const shown = new Notification(notice.title, {
        body: notice.body,
        tag: chat.remoteJid,
        icon: '/icon.svg',
      })
      shown.addEventListener('click', () => {
        globalThis.focus()
        go(addressOfSelection({ instanceName: undefined, open: { instanceName, chat: chat.remoteJid } }))
        shown.close()
      })
    }
    return live.onEvent((event) => {
      if (event.event !== 'messages.upsert' || !document.hidden || chosenNotices() === 'off') return
      if (mayNotify(event.data as EventData<'messages.upsert'>)) void notify(event).catch(() => undefined)
    })
  }, [t, titleOf, go])
}
