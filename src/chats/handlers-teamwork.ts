// Users of the account, assignment of chats, and quick replies.

import type { Deps } from '../context.ts'
import { pagedAnswer } from '../kernel/http/paged-answer.ts'
import type { Handlers } from '../request-handler.ts'
import { assignChat, listTeam } from './assignment.ts'
import * as replies from './quick-replies.ts'

export const teamworkHandlers = (
  deps: Pick<Deps, 'store' | 'clock'>,
): Handlers<
  | 'listUsers'
  | 'assignChat'
  | 'listQuickReplies'
  | 'createQuickReply'
  | 'updateQuickReply'
  | 'deleteQuickReply'
> => ({
  async listUsers({ caller }, { query }) {
    return pagedAnswer('users', query, await listTeam(deps, caller, query))
  },
  async assignChat({ caller }, { body }) {
    return { chat: await assignChat(deps, caller, body) }
  },
  async listQuickReplies({ caller }) {
    const quickReplies = await replies.listQuickReplies(deps, caller)
    return { count: quickReplies.length, quickReplies }
  },
  async createQuickReply({ caller }, { body }) {
    return { quickReply: await replies.createQuickReply(deps, caller, body) }
  },
  async updateQuickReply({ caller }, { params, body }) {
    return { quickReply: await replies.updateQuickReply(deps, caller, params.id, body) }
  },
  async deleteQuickReply({ caller }, { params }) {
    await replies.deleteQuickReply(deps, caller, params.id)
    return { id: params.id }
  },
})
