// Changes the settings of a chat, shows them at once and confirms them.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../gateway/api.ts'
import { useTexts } from '../../../ui/language.tsx'
import { useToasts } from '../../../ui/toast.tsx'
import type { OpenChat } from '../model/chat-address.ts'
import type { ChatChoice } from '../model/chat-choices.ts'
import { showChat } from '../model/conversation-queries.ts'
import { chatSettingTexts } from '../texts/chat-setting-texts.ts'

type Settings = Omit<Parameters<typeof api.updateChat>[0]['body'], 'instanceName' | 'chat'>

interface Change {
  choice: ChatChoice
  settings: Settings
}

/** `ownErrors`: the caller shows the error of a failed change; otherwise a toast does. */
export function useChatChange(open: OpenChat, { ownErrors = false } = {}) {
  const t = useTexts(chatSettingTexts)
  const toasts = useToasts()
  const queries = useQueryClient()
  const { instanceName, chat } = open
  return useMutation({
    mutationFn: ({ settings }: Change) => api.updateChat({ body: { instanceName, chat, ...settings } }),
    onSuccess(answer, { choice }) {
      showChat(queries, open, answer.chat)
      toasts.done(t.done[choice])
    },
    ...(ownErrors ? {} : { onError: toasts.failed }),
  })
}
