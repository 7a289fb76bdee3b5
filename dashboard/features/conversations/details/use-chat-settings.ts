// The settings of a chat: changed, shown at once and confirmed, and said in a few words.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { MUTED_FOR_EVER } from '../../../../src/contract/values.ts'
import { api } from '../../../gateway/api.ts'
import { useFormat, useTexts } from '../../../ui/language.tsx'
import { useToasts } from '../../../ui/toast.tsx'
import type { OpenChat } from '../model/chat-address.ts'
import { type ChatChoice, isMuted, timerOf } from '../model/chat-choices.ts'
import { type ListedChat, showChat } from '../model/conversation-queries.ts'
import { chatSettingTexts } from '../texts/chat-setting-texts.ts'

// Changes the settings of a chat, shows them at once and confirms them.

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

// The settings of the open chat in a few words, below its title.

/** Empty for a chat with the usual settings. */
export function useChatFacts(): (chat: ListedChat | undefined) => string[] {
  const t = useTexts(chatSettingTexts)
  const format = useFormat()
  return (chat) => {
    if (!chat) return []
    const { archived, mutedUntil, disappearingSeconds } = chat
    const timer = timerOf(disappearingSeconds)
    const facts = [
      archived && t.archived,
      isMuted(chat) && (mutedUntil === MUTED_FOR_EVER ? t.muted : t.mutedUntil(format.dateTime(mutedUntil))),
      timer !== undefined && timer !== 'off' && t.timerOn(t.timers[timer]),
    ]
    return facts.filter((fact) => fact !== false)
  }
}
