// The title of a chat.
import { useTexts } from '../../../ui/language.tsx'
import { conversationTexts } from '../texts/conversation-texts.ts'
import { isStatus } from './chat-address.ts'
import { type ListedChat, useChats, useGroups } from './conversation-queries.ts'
import type { Message } from './message-fields.ts'

/** The phone number of a jid; undefined for groups and hidden numbers. */
export const numberOf = (jid: string): string | undefined =>
  jid.endsWith('@s.whatsapp.net') ? jid.split('@')[0] : undefined
export const isGroup = (jid: string): boolean => jid.endsWith('@g.us')

/** The page of a group. */
export const addressOfGroup = ({ instanceName, chat }: { instanceName: string; chat: string }): string =>
  `/conversations/group?${new URLSearchParams({ instance: instanceName, group: chat }).toString()}`

/** The subject of a group, the name of the saved contact, any other name, otherwise the number. */
export function useChatTitle(): (jid: string, chat?: ListedChat, subject?: string) => string {
  const t = useTexts(conversationTexts)
  return (jid, chat, subject) => {
    if (isStatus(jid)) return t.status
    const number = chat?.phone ?? numberOf(jid)
    const spoken = number === undefined ? (isGroup(jid) ? jid : t.hiddenNumber) : `+${number}`
    return subject ?? chat?.contactName ?? chat?.name ?? chat?.pushName ?? spoken
  }
}

// The names of the chats of messages, for lists of messages of all instances.

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
