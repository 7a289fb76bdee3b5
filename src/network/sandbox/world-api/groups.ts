/** Calls about groups: making one, and what its members do with it. */
import type { FastifyInstance } from 'fastify'
import { sandboxRoutes as routes } from '../../../contract/sandbox.ts'
import type { Exchange } from '../exchange.ts'
import {
  changeMembers,
  createGroup,
  isAdmin,
  leaveGroup,
  setDescription,
  setSetting,
  setSubject,
} from '../groups.ts'
import { setGroupPicture } from '../pictures.ts'
import { Refusal } from '../refusal.ts'
import { newStanzaId } from '../stanza.ts'
import type { Account, Group } from '../world.ts'
import { phoneOf } from './phones.ts'
import { call } from './routes.ts'

export function groupCalls(app: FastifyInstance, exchange: Exchange): void {
  changeCalls(app, exchange)
  call(app, routes.sandboxListGroups, () => ({
    groups: [...exchange.world.groups.values()].map(describeGroup),
  }))
  call(app, routes.sandboxCreateGroup, async ({ body }) => {
    const admin = phoneOf(exchange, body.admin).account
    const members = body.members.map((number) => phoneOf(exchange, number).account)
    return { group: describeGroup(await createGroup(exchange, admin, body.subject, members)) }
  })
  call(app, routes.sandboxGetGroup, ({ params }) => ({ group: describeGroup(groupOf(exchange, params.jid)) }))
}

function changeCalls(app: FastifyInstance, exchange: Exchange): void {
  call(app, routes.sandboxChangeGroup, async ({ params, body }) => {
    const group = groupOf(exchange, params.jid)
    const admin = actor(exchange, group, body.by)
    const { subject, description, announcement, locked, pictureBase64 } = body
    if (subject !== undefined) await setSubject(exchange, group, admin, subject)
    if (description !== undefined) await setDescription(exchange, group, admin, description, newStanzaId())
    if (announcement !== undefined) await setSetting(exchange, group, admin, 'announcement', announcement)
    if (locked !== undefined) await setSetting(exchange, group, admin, 'locked', locked)
    if (pictureBase64 !== undefined) {
      const bytes = pictureBase64 === null ? null : Buffer.from(pictureBase64, 'base64')
      await setGroupPicture(exchange, group, admin, bytes)
    }
    return { group: describeGroup(group) }
  })
  call(app, routes.sandboxChangeMembers, async ({ params, body }) => {
    const group = groupOf(exchange, params.jid)
    const people = body.members.map((number) => phoneOf(exchange, number).account)
    await changeMembers(exchange, group, actor(exchange, group, body.by), body.change, people)
    return { group: describeGroup(group) }
  })
  call(app, routes.sandboxLeaveGroup, async ({ params, body }) => {
    const group = groupOf(exchange, params.jid)
    const { account } = phoneOf(exchange, body.number)
    if (!group.members[account.number]) throw new Refusal('not_a_member', 'That phone is not in the group.')
    await leaveGroup(exchange, group, account)
    return { group: describeGroup(group) }
  })
}

function groupOf(exchange: Exchange, jid: string): Group {
  const group = exchange.world.groups.get(jid)
  if (!group) throw new Refusal('group_not_found', 'There is no such group.')
  return group
}

function actor(exchange: Exchange, group: Group, by: string | undefined): Account {
  const { account } = phoneOf(exchange, by ?? group.creator)
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
