// Chats: presence, settings, clearing, older messages; and stars of messages.
import * as chats from '../../domain/chats.ts'
import type { Deps } from '../../domain/deps.ts'
import type { Sending } from '../../domain/sending.ts'
import { starMessage } from '../../domain/star-message.ts'
import type { Handlers } from '../handler.ts'

export const chatSettingHandlers = (
  deps: Pick<Deps, 'store' | 'clock' | 'sessions'> & { sending: Sending },
): Handlers<'showPresence' | 'updateChat' | 'clearChat' | 'chatHistory' | 'starMessage'> => ({
  showPresence: ({ caller }, { body }) => chats.showPresence(deps, caller, body),
  updateChat: ({ caller }, { body }) => chats.updateChat(deps, caller, body),
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
})
