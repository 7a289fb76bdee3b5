// Leaves out the messages and chats of groups, for an instance that ignores groups.

import { isGroupJid } from '../network/jid.ts'
import type { Interpretation } from '../network/network.ts'

export const withoutGroups = (read: Interpretation): Interpretation => ({
  ...read,
  messages: read.messages.filter(({ chat }) => !isGroupJid(chat)),
  chats: read.chats.filter(({ jid }) => !isGroupJid(jid)),
})
