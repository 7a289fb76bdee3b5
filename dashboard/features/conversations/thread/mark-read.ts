// Marks a chat as read while it is visible and focused, and removes its mark as unread when it is opened.

import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { api } from '../../../gateway/api.ts'
import { useCan } from '../../../gateway/sign-in.ts'
import type { OpenChat } from '../model/chat-address.ts'
import { type ListedChat, rereadChats, showChat } from '../model/conversation-queries.ts'

const hasAttention = (): boolean => document.visibilityState === 'visible' && document.hasFocus()

function onAttention(listener: () => void): () => void {
  const change = new AbortController()
  const { signal } = change
  globalThis.addEventListener('focus', listener, { signal })
  globalThis.addEventListener('blur', listener, { signal })
  document.addEventListener('visibilitychange', listener, { signal })
  return () => change.abort()
}

/** Marks the chat as read, once per newest message, while the page is visible and focused. */
export function useMarkRead(open: OpenChat, unread: string | undefined): void {
  const queries = useQueryClient()
  const isAttended = useSyncExternalStore(onAttention, hasAttention)
  const done = useRef<string>(undefined)
  const isAllowed = useCan()('readChat')
  const { instanceName, chat } = open
  useEffect(() => {
    if (unread === undefined || !isAllowed || !isAttended || done.current === unread) return
    done.current = unread
    api.readChat({ query: { instanceName }, body: { chat, viewed: true } }).then(
      () => rereadChats(queries, instanceName),
      () => {
        // The chat stays unread; the next message or the next focus retries.
        done.current = undefined
      },
    )
  }, [queries, instanceName, chat, unread, isAttended, isAllowed])
}

/** As on phones, opening a chat removes its mark. Only opening does: the reader can mark the open chat. */
export function useRemoveMark(open: OpenChat, chat: ListedChat | undefined): void {
  const queries = useQueryClient()
  const isAttended = useSyncExternalStore(onAttention, hasAttention)
  const isAllowed = useCan()('updateChat')
  const isChecked = useRef(false)
  useEffect(() => {
    if (!chat || !isAllowed || !isAttended || isChecked.current) return
    isChecked.current = true
    const isMarked = chat.unread && chat.unreadCount === 0
    if (!isMarked) return
    const { instanceName, chat: jid } = open
    api.updateChat({ body: { instanceName, chat: jid, unread: false } }).then(
      (answer) => showChat(queries, open, answer.chat),
      () => undefined, // The mark stays; the menu of the chat removes it.
    )
  }, [queries, open, chat, isAttended, isAllowed])
}
