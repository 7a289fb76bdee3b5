// Chats: the list, reading, presence, settings, clearing, older messages; stars and played receipts of messages.

import type { Deps } from '../context.ts'
import { pagedAnswer } from '../kernel/http/paged-answer.ts'
import type { Handlers } from '../request-handler.ts'
import type { Sending } from '../sending/accept.ts'
import { createSendTimer } from '../sending/changes.ts'
import { markPlayed } from '../sending/mark-played.ts'
import { starMessage } from '../sending/star-message.ts'
import * as chats from './chats.ts'
import { markChatRead } from './mark-read.ts'

export const chatHandlers = (
  deps: Pick<Deps, 'store' | 'clock' | 'sessions' | 'vault'> & { sending: Sending },
): Handlers<
  | 'listChats'
  | 'readChat'
  | 'showPresence'
  | 'updateChat'
  | 'clearChat'
  | 'chatHistory'
  | 'starMessage'
  | 'markPlayed'
> => ({
  async listChats({ caller }, { query }) {
    const { instance, ...found } = await chats.listChats(deps, caller, query)
    return { ...pagedAnswer('chats', query, found), instance }
  },
  readChat: ({ caller }, { query, body }) => markChatRead(deps, caller, { ...query, ...body }),
  showPresence: ({ caller }, { body }) => chats.showPresence(deps, caller, body),
  updateChat: ({ caller }, { body }) =>
    chats.updateChat({ ...deps, sendTimer: createSendTimer(deps.sending) }, caller, body),
  async clearChat({ caller }, { query }) {
    return { chat: await chats.clearChat(deps, caller, query) }
  },
  async chatHistory({ caller }, { query }) {
    const { messages, moreComing } = await chats.chatHistory(deps, caller, query)
    return { count: messages.length, limit: query.limit, moreComing, messages }
  },
  async starMessage({ caller }, { params, body }) {
    return { message: await starMessage(deps, caller, { ...params, ...body }, body.starred) }
  },
  async markPlayed({ caller }, { params, body }) {
    return { message: await markPlayed(deps, caller, { ...params, ...body }) }
  },
})
