// What can be done with the messages of an open chat. Dialogs ask first; reactions, stars and replies happen at once.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { api } from '../../../gateway/api.ts'
import { useTexts } from '../../../ui/language.tsx'
import { uiTexts } from '../../../ui/texts/ui-texts.ts'
import { useToasts } from '../../../ui/toast.tsx'
import type { ThreadContent } from '../message/thread-context.ts'
import type { OpenChat } from '../model/chat-address.ts'
import { rereadConversation, showStar } from '../model/conversation-queries.ts'
import type { ThreadMessage } from '../model/shown-messages.ts'
import type { RequestedDialog } from './requested-dialog.ts'

interface Handlers {
  reply(shown: ThreadMessage): void
  ask(requested: { dialog: RequestedDialog; shown: ThreadMessage }): void
}

/** Never changes, so that no message is drawn again because of it. */
export function useThreadActions(open: OpenChat, handlers: Handlers): Pick<ThreadContent, 'act' | 'react'> {
  const ui = useTexts(uiTexts)
  const toasts = useToasts()
  const queries = useQueryClient()
  const change = useMutation({
    mutationFn: (send: () => Promise<unknown>) => send(),
    onError: toasts.failed,
    onSettled: () => rereadConversation(queries, open),
  })
  const { instanceName } = open
  const copy = async (text: string) => {
    try {
      await navigator.clipboard.writeText(text)
      toasts.done(ui.copied)
    } catch (error) {
      toasts.failed(error)
    }
  }
  const act: ThreadContent['act'] = (choice, message) => {
    const params = { messageId: message.message.messageId }
    if (choice === 'reply') handlers.reply(message)
    else if (choice === 'copy') void copy(message.text ?? '')
    else if (choice === 'unpin')
      change.mutate(() => api.pinMessage({ params, body: { instanceName, seconds: null } }))
    else if (choice === 'star' || choice === 'unstar')
      change.mutate(async () => {
        const body = { instanceName, starred: choice === 'star' }
        showStar(queries, open, (await api.starMessage({ params, body })).message)
      })
    else handlers.ask({ dialog: choice, shown: message })
  }
  const react: ThreadContent['react'] = (message, emoji) => {
    const params = { messageId: message.message.messageId }
    change.mutate(() => api.reactToMessage({ params, body: { instanceName, emoji } }))
  }
  const latest = useRef({ act, react })
  useEffect(() => {
    latest.current = { act, react }
  })
  return useMemo(
    () => ({
      act: (...given) => latest.current.act(...given),
      react: (...given) => latest.current.react(...given),
    }),
    [],
  )
}
