// Chats, calls, labels, groups, users and quick replies.
import type { Deps } from '../context.ts'
import { MEMBER_ACTIONS } from '../contract/values.ts'
import { pagedAnswer } from '../kernel/http/paged-answer.ts'
import type { Handlers } from '../request-handler.ts'
import type { Sending } from '../sending/accept.ts'
import { createSendTimer, markPlayed, starMessage } from '../sending/changes.ts'
import { assignChat, listTeam } from './assignment.ts'
import { rejectCall } from './calls.ts'
import * as chats from './chats.ts'
import * as groups from './groups.ts'
import * as labels from './labels.ts'
import { markChatRead } from './mark-read.ts'
import * as replies from './quick-replies.ts'

// Chats: the list, reading, presence, settings, clearing, older messages; stars and played receipts of messages.

export const chatHandlers = (
  deps: Pick<Deps, 'store' | 'clock' | 'sessions' | 'vault'> & { sending: Sending },
) =>
  ({
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
  }) satisfies Partial<Handlers>

// Phone calls.
export const callHandlers = (deps: Pick<Deps, 'store' | 'clock' | 'sessions'>) =>
  ({
    async rejectCall({ caller }, { params, query }) {
      return { call: await rejectCall(deps, caller, { ...params, ...query }) }
    },
  }) satisfies Partial<Handlers>

// Labels.
export const labelHandlers = (deps: Pick<Deps, 'store' | 'clock' | 'sessions'>) =>
  ({
    async listLabels({ caller }, { query }) {
      const found = await labels.listLabels(deps, caller, query.instanceName)
      return { count: found.labels.length, ...found }
    },
    async createLabel({ caller }, { body }) {
      return { label: await labels.createLabel(deps, caller, body) }
    },
    async updateLabel({ caller }, { params, body }) {
      return { label: await labels.updateLabel(deps, caller, params.labelId, body) }
    },
    async deleteLabel({ caller }, { params, query }) {
      await labels.deleteLabel(deps, caller, params.labelId, query.instanceName)
      return { id: params.labelId }
    },
    async labelChat({ caller }, { params, body }) {
      return { chat: await labels.labelChat(deps, caller, { ...params, ...body, labeled: true }) }
    },
    async unlabelChat({ caller }, { params, query }) {
      return { chat: await labels.labelChat(deps, caller, { ...params, ...query, labeled: false }) }
    },
  }) satisfies Partial<Handlers>

// Users of the account, assignment of chats, and quick replies.
export const teamworkHandlers = (deps: Pick<Deps, 'store' | 'clock'>) =>
  ({
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
  }) satisfies Partial<Handlers>

// Groups: settings, members, invite links and requests to join.

type GroupDeps = Pick<Deps, 'store' | 'sessions' | 'clock' | 'checkUrl' | 'readPicture'>

export const groupHandlers = (deps: GroupDeps) =>
  ({
    async listGroups({ caller }, { query }) {
      const found = await groups.listGroups(deps, caller, query)
      return { count: found.groups.length, ...found }
    },
    createGroup: ({ caller }, { body }) => groups.createGroup(deps, caller, body),
    async getGroup({ caller }, { params, query }) {
      return { group: await groups.getGroup(deps, caller, { ...params, ...query }) }
    },
    async updateGroup({ caller }, { params, query, body }) {
      return { group: await groups.updateGroup(deps, caller, { ...params, ...query, settings: body }) }
    },
    async setGroupPicture({ caller }, { params, query, file }) {
      // At most 5 MB: the contract limits it.
      const picture = Buffer.concat(await Array.fromAsync(file.bytes))
      return { group: await groups.setGroupPicture(deps, caller, { ...params, ...query, picture }) }
    },
    async deleteGroupPicture({ caller }, { params, query }) {
      return { group: await groups.setGroupPicture(deps, caller, { ...params, ...query, picture: null }) }
    },
    changeGroupMembers({ caller }, { params, query, body }) {
      // The schema accepts exactly one action.
      const action = MEMBER_ACTIONS.find((name) => body[name]) ?? 'add'
      return groups.changeMembers(deps, caller, { ...params, ...query, action, numbers: body[action] ?? [] })
    },
    ...inviteHandlers(deps),
    async leaveGroup({ caller }, { params, query }) {
      await groups.leaveGroup(deps, caller, { ...params, ...query })
      return { groupJid: params.groupJid }
    },
    async listJoinRequests({ caller }, { params, query }) {
      const requests = await groups.listJoinRequests(deps, caller, { ...params, ...query })
      return { count: requests.length, requests }
    },
    answerJoinRequests({ caller }, { params, query, body }) {
      const answer = body.approve ? 'approve' : 'reject'
      return groups.answerJoinRequests(deps, caller, {
        ...params,
        ...query,
        answer,
        numbers: body[answer] ?? [],
      })
    },
  }) satisfies Partial<Handlers>

const inviteHandlers = (deps: GroupDeps) =>
  ({
    getGroupInvite: ({ caller }, { params, query }) =>
      groups.groupInvite(deps, caller, { ...params, ...query }, 'groupInvite'),
    resetGroupInvite: ({ caller }, { params, query }) =>
      groups.groupInvite(deps, caller, { ...params, ...query }, 'resetGroupInvite'),
    async previewGroupInvite({ caller }, { params, query }) {
      return { preview: await groups.previewInvite(deps, caller, { ...params, ...query }) }
    },
    joinGroup: ({ caller }, { body }) => groups.joinGroup(deps, caller, body),
  }) satisfies Partial<Handlers>
