// The names of people in a conversation: from the list of chats, and from the messages they wrote.
import { useMemo } from 'react'
import { useTexts } from '../../../ui/language.tsx'
import type { OpenChat } from '../model/chat-address.ts'
import { type ListedInstance, useChats } from '../model/conversation-queries.ts'
import { senderOf } from '../model/message-fields.ts'
import type { ThreadMessage } from '../model/shown-messages.ts'
import { conversationTexts } from '../texts/conversation-texts.ts'

const digitsOf = (id: string): string => id.split('@')[0] ?? id

/** The name of a person by jid or number. The function changes only with the names. */
export function useNames(
  open: OpenChat,
  { number }: ListedInstance,
  shown: readonly ThreadMessage[],
): (id: string) => string | undefined {
  const t = useTexts(conversationTexts)
  const { read } = useChats([open.instanceName], 1)
  const names = new Map<string, string>()
  for (const { message } of shown) {
    const { jid, lid, pushName } = senderOf(message.content) ?? {}
    if (jid !== undefined && pushName != null) names.set(digitsOf(jid), pushName)
    if (lid != null && pushName != null) names.set(digitsOf(lid), pushName)
  }
  for (const { remoteJid, contactName, name, pushName } of read.flatMap(({ chats }) => chats)) {
    const known = contactName ?? name ?? pushName
    if (known !== null) names.set(digitsOf(remoteJid), known)
  }
  if (number !== null) names.set(number, t.you)
  // The names as one text: the function changes only with them.
  const entries = JSON.stringify([...names])
  return useMemo(() => {
    const known = new Map(JSON.parse(entries) as [string, string][])
    return (id: string) => known.get(digitsOf(id))
  }, [entries])
}
