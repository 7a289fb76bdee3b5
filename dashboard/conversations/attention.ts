// Whoever has a conversation before their eyes reads it: the gateway and the authors are told so.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { api } from '../api.ts'
import type { OpenChat } from './place.ts'
import { rereadChats } from './reading.ts'

const isAttentive = (): boolean => document.visibilityState === 'visible' && document.hasFocus()

function onAttention(listener: () => void): () => void {
  const change = new AbortController()
  const { signal } = change
  globalThis.addEventListener('focus', listener, { signal })
  globalThis.addEventListener('blur', listener, { signal })
  document.addEventListener('visibilitychange', listener, { signal })
  return () => change.abort()
}

/** Marks the chat as read for as long as somebody looks at it, once for each message that is the newest. */
export function useMarkRead(open: OpenChat, unread: string | undefined): void {
  const queries = useQueryClient()
  const isLookedAt = useSyncExternalStore(onAttention, isAttentive)
  const done = useRef<string>(undefined)
  const { instanceName, chat } = open
  useEffect(() => {
    if (unread === undefined || !isLookedAt || done.current === unread) return
    done.current = unread
    api.readChat({ query: { instanceName }, body: { chat } }).then(
      () => rereadChats(queries, instanceName),
      () => {
        // It stays unread; the next message, or the next look at the page, tries again.
        done.current = undefined
      },
    )
  }, [queries, instanceName, chat, unread, isLookedAt])
}
