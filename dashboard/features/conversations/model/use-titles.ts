// The names of the chats of messages, for lists of messages of all instances.
import { useChatTitle } from './chat-title.ts'
import { useChats, useGroups } from './conversation-queries.ts'
import type { Message } from './message-fields.ts'

/** The names of the recipients, as the list of chats has them. */
export function useTitles(messages: readonly Message[]): (message: Message) => string {
  const titleOf = useChatTitle()
  const names = [...new Set(messages.map(({ instanceName }) => instanceName))]
  const { read } = useChats(names, 1)
  const { groups } = useGroups(names)
  return (message) => {
    const jid = message.chat
    const chats = read.find(({ instanceName }) => instanceName === message.instanceName)?.chats
    const group = groups.find(({ group: one }) => one.groupJid === jid)?.group
    return titleOf(
      jid,
      chats?.find(({ remoteJid }) => remoteJid === jid),
      group?.subject,
    )
  }
}
