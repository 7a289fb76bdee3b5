// Groups: settings, members, invite links and requests to join.

import type { Deps } from '../context.ts'
import { MEMBER_ACTIONS } from '../contract/group-values.ts'
import type { Handlers } from '../request-handler.ts'
import * as groups from './groups.ts'

type GroupDeps = Pick<Deps, 'store' | 'sessions' | 'clock' | 'checkUrl' | 'readPicture'>

export const groupHandlers = (
  deps: GroupDeps,
): Handlers<
  | 'listGroups'
  | 'createGroup'
  | 'getGroup'
  | 'updateGroup'
  | 'setGroupPicture'
  | 'deleteGroupPicture'
  | 'changeGroupMembers'
  | 'getGroupInvite'
  | 'resetGroupInvite'
  | 'previewGroupInvite'
  | 'joinGroup'
  | 'leaveGroup'
  | 'listJoinRequests'
  | 'answerJoinRequests'
> => ({
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
})

const inviteHandlers = (
  deps: GroupDeps,
): Handlers<'getGroupInvite' | 'resetGroupInvite' | 'previewGroupInvite' | 'joinGroup'> => ({
  getGroupInvite: ({ caller }, { params, query }) =>
    groups.groupInvite(deps, caller, { ...params, ...query }, 'groupInvite'),
  resetGroupInvite: ({ caller }, { params, query }) =>
    groups.groupInvite(deps, caller, { ...params, ...query }, 'resetGroupInvite'),
  async previewGroupInvite({ caller }, { params, query }) {
    return { preview: await groups.previewInvite(deps, caller, { ...params, ...query }) }
  },
  joinGroup: ({ caller }, { body }) => groups.joinGroup(deps, caller, body),
})
