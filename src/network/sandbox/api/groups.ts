// Calls about groups: creating, reading, changing and leaving them.
import type { FastifyInstance } from 'fastify'
import { sandboxRoutes as routes } from '../../../contract/sandbox.ts'
import { Refusal } from '../model/refusal.ts'
import type { Account, Group, World } from '../model/world.ts'
import {
  changeMembers,
  createGroup,
  isAdmin,
  leaveGroup,
  setDescription,
  setSetting,
  setSubject,
} from '../network/groups.ts'
import { setGroupPicture } from '../network/pictures.ts'
import type { StateWithPhones } from '../phones/phone.ts'
import { newStanzaId } from '../wire/stanza.ts'
import { call } from './call.ts'
import type { View } from './view.ts'

export function groupCalls(app: FastifyInstance, state: StateWithPhones): void {
  changeCalls(app, state)
  call(app, state, routes.sandboxListGroups, (_input, view) => ({
    groups: view.groups().map(describeGroup),
  }))
  call(app, state, routes.sandboxCreateGroup, async ({ body }, view) => {
    const admin = view.phone(body.admin).account
    const members = body.members.map(view.person)
    return { group: describeGroup(await createGroup(state, admin, body.subject, members)) }
  })
  call(app, state, routes.sandboxGetGroup, ({ params }, view) => ({
    group: describeGroup(view.group(params.jid)),
  }))
}

function changeCalls(app: FastifyInstance, state: StateWithPhones): void {
  call(app, state, routes.sandboxChangeGroup, async ({ params, body }, view) => {
    const group = view.group(params.jid)
    const admin = actor(view, group, body.by)
    const { subject, description, announcement, locked, pictureBase64 } = body
    if (subject !== undefined) await setSubject(state, group, admin, subject)
    if (description !== undefined) await setDescription(state, group, admin, description, newStanzaId())
    if (announcement !== undefined) await setSetting(state, group, admin, 'announcement', announcement)
    if (locked !== undefined) await setSetting(state, group, admin, 'locked', locked)
    if (pictureBase64 !== undefined) {
      const bytes = pictureBase64 === null ? null : Buffer.from(pictureBase64, 'base64')
      await setGroupPicture(state, group, admin, bytes)
    }
    return { group: describeGroup(group) }
  })
  call(app, state, routes.sandboxChangeMembers, async ({ params, body }, view) => {
    const group = view.group(params.jid)
    const people = body.members.map(view.person)
    await changeMembers(state, group, actor(view, group, body.by), body.change, people)
    return { group: describeGroup(group) }
  })
  call(app, state, routes.sandboxLeaveGroup, async ({ params, body }, view) => {
    const group = groupToLeave(state.world, view, params.jid, body.number)
    const { account } = view.phone(body.number)
    if (!group.members[account.number]) throw new Refusal('not_a_member', 'That phone is not in the group.')
    await leaveGroup(state, group, account)
    return { group: describeGroup(group) }
  })
}

/** A caller's phone can leave a group of another account, because that group is on its screen. */
function groupToLeave(world: World, view: View, jid: string, number: string): Group {
  const group = world.groups.get(jid)
  const isOwn = view.phones().some((account) => account.number === number)
  return group?.members[number] && isOwn ? group : view.group(jid)
}

function actor(view: View, group: Group, by: string | undefined): Account {
  const { account } = view.phone(by ?? group.creator)
  if (!isAdmin(group, account)) throw new Refusal('not_an_admin', 'Only an admin of the group can do that.')
  return account
}

function describeGroup(group: Group) {
  return {
    jid: group.jid,
    subject: group.subject,
    description: group.description?.text ?? null,
    addressing: group.addressing,
    announcement: group.announcement,
    locked: group.locked,
    members: Object.entries(group.members).map(([number, role]) => ({ number, role })),
  }
}
