// The settings of the open chat in a few words, below its title.
import { MUTED_FOR_EVER } from '../../../../src/contract/chat-values.ts'
import { useFormat, useTexts } from '../../../ui/language.tsx'
import { isMuted, timerOf } from '../model/chat-choices.ts'
import type { ListedChat } from '../model/conversation-queries.ts'
import { chatSettingTexts } from '../texts/chat-setting-texts.ts'

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
