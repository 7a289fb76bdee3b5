// Leaves out the messages and chats of groups, for an instance that ignores groups.
import type { Interpretation } from '../network/network.ts'
import { isGroupJid } from './jid.ts'

export const withoutGroups = (read: Interpretation): Interpretation => ({
  ...read,
  messages: read.messages.filter(({ chat }) => !isGroupJid(chat)),
  chats: read.chats.filter(({ jid }) => !isGroupJid(jid)),
})
