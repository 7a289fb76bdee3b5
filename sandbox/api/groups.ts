// Calls about groups.
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { sentenceOf } from '../../src/contract/reasons.ts'
import { sandboxRoutes as routes } from '../../src/contract/sandbox.ts'
import type { SandboxReason } from '../../src/contract/sandbox-reasons.ts'
import type { changeGroup } from '../../src/contract/sandbox-requests.ts'
import { defaultActor, isAdmin, isMember, type MemberCode, mayAdd, mayEdit } from '../model/group-rules.ts'
import { Refusal } from '../model/refusal.ts'
import type { Account, Group, World } from '../model/world.ts'
import {
  acceptInvitation,
  answerRequests,
  changeMembers,
  groupWithCode,
  invite,
  type JoinResult,
  joinByLink,
  leaveGroup,
} from '../network/group-members.ts'
import type { MemberResult } from '../network/group-node.ts'
import {
  createGroup,
  renewInvite,
  setDescription,
  setEphemeral,
  setJoinApproval,
  setMemberAddMode,
  setSetting,
  setSubject,
} from '../network/groups.ts'
import { pictureIdOf, setGroupPicture } from '../network/pictures.ts'
import { messageOn } from '../phones/compose.ts'
import { composeInvitation, readInvitation } from '../phones/group-invitations.ts'
import type { Phone, StateWithPhones } from '../phones/phone.ts'
import { findChat, send } from '../phones/send.ts'
import { writeGroup } from '../store/documents.ts'
import { newStanzaId } from '../wire/stanza.ts'
import { call } from './call.ts'
import type { View } from './view.ts'

export function groupCalls(app: FastifyInstance, state: StateWithPhones): void {
  changeCalls(app, state)
  memberCalls(app, state)
  invitationCalls(app, state, actor)
  call(app, state, routes.sandboxListGroups, (_input, view) => ({
    groups: view.groups().map(describeGroup),
  }))
  call(app, state, routes.sandboxCreateGroup, async ({ body }, view) => {
    const admin = view.phone(body.admin).account
    const members = body.members.map(view.person)
    const { group, outcomes } = await createGroup(state, admin, body.subject, members)
    return { group: describeGroup(group), outcomes: outcomes.map(describeOutcome) }
  })
  call(app, state, routes.sandboxListPhoneGroups, ({ params }, view) => {
    const { account } = view.phone(params.number)
    const own = [...state.world.groups.values()].filter((group) => isMember(group, account))
    return { groups: own.map((group) => asSeenBy(account, group)) }
  })
  call(app, state, routes.sandboxGetGroup, ({ params }, view) => ({
    group: describeGroup(view.group(params.jid)),
  }))
}

function changeCalls(app: FastifyInstance, state: StateWithPhones): void {
  call(app, state, routes.sandboxChangeGroup, async ({ params, body }, view) => {
    const group = view.group(params.jid)
    const { by, subject, description, disappearingSeconds, pictureBase64, ...forAdmins } = body
    const isForAdmins = Object.keys(forAdmins).length > 0
    const member = actor(view, group, by, isForAdmins ? isAdmin : mayEdit)
    await changeDetails(state, group, member, { subject, description, disappearingSeconds, pictureBase64 })
    await changeSettings(state, group, member, forAdmins)
    return { group: describeGroup(group) }
  })
  call(app, state, routes.sandboxResetInvite, async ({ params, body }, view) => {
    const group = view.group(params.jid)
    await renewInvite(state, group, actor(view, group, body.by, isAdmin))
    return { group: describeGroup(group) }
  })
}

type Changes = z.output<typeof changeGroup>
type Details = 'subject' | 'description' | 'disappearingSeconds' | 'pictureBase64'

async function changeDetails(
  state: StateWithPhones,
  group: Group,
  member: Account,
  { subject, description, disappearingSeconds, pictureBase64 }: Pick<Changes, Details>,
): Promise<void> {
  if (subject !== undefined) await setSubject(state, group, member, subject)
  if (description !== undefined) await setDescription(state, group, member, description, newStanzaId())
  if (disappearingSeconds !== undefined) await setEphemeral(state, group, member, disappearingSeconds)
  if (pictureBase64 === undefined) return
  const bytes = pictureBase64 === null ? null : Buffer.from(pictureBase64, 'base64')
  await setGroupPicture(state, group, member, bytes)
}

async function changeSettings(
  state: StateWithPhones,
  group: Group,
  admin: Account,
  { announcement, locked, joinApproval, memberAdd }: Omit<Changes, Details | 'by'>,
): Promise<void> {
  if (announcement !== undefined) await setSetting(state, group, admin, 'announcement', announcement)
  if (locked !== undefined) await setSetting(state, group, admin, 'locked', locked)
  if (joinApproval !== undefined) await setJoinApproval(state, group, admin, joinApproval)
  if (memberAdd !== undefined)
    await setMemberAddMode(state, group, admin, memberAdd === 'all' ? 'all_member_add' : 'admin_add')
}

function memberCalls(app: FastifyInstance, state: StateWithPhones): void {
  call(app, state, routes.sandboxChangeMembers, async ({ params, body }, view) => {
    const group = view.group(params.jid)
    const people = body.members.map(view.person)
    const member = actor(view, group, body.by, body.change === 'add' ? mayAdd : isAdmin)
    const outcomes = await changeMembers(state, group, member, body.change, people)
    return { group: describeGroup(group), outcomes: outcomes.map(describeOutcome) }
  })
  call(app, state, routes.sandboxAnswerRequests, async ({ params, body }, view) => {
    const group = view.group(params.jid)
    const people = body.members.map(view.person)
    const admin = actor(view, group, body.by, isAdmin)
    const outcomes = await answerRequests(state, group, admin, body.action, people)
    return { group: describeGroup(group), outcomes: outcomes.map(describeOutcome) }
  })
  call(app, state, routes.sandboxLeaveGroup, async ({ params, body }, view) => {
    const group = groupToLeave(state.world, view, params.jid, body.number)
    const { account } = view.phone(body.number)
    if (!isMember(group, account)) throw new Refusal('not_a_member', 'That phone is not in the group.')
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

type Permission = (group: Group, account: Account) => boolean

/** The member who makes a change. */
function actor(view: View, group: Group, by: string | undefined, may: Permission): Account {
  const { account } = view.phone(by ?? defaultActor(group))
  if (!may(group, account)) throw new Refusal('not_an_admin', sentenceOf('not_an_admin'))
  return account
}

const OUTCOMES = {
  200: 'done',
  202: 'requested',
  401: 'blocked',
  403: 'must_be_invited',
  404: 'not_found',
  405: 'not_possible',
  409: 'already_a_member',
} as const satisfies Record<MemberCode, string>

function describeOutcome({ person, code }: MemberResult) {
  return { number: person.number, outcome: OUTCOMES[code] }
}

function describeGroup(group: Group) {
  return {
    jid: group.jid,
    subject: group.subject,
    description: group.description?.text ?? null,
    addressing: group.addressing,
    announcement: group.announcement,
    locked: group.locked,
    joinApproval: group.joinApproval,
    memberAdd: group.memberAddMode === 'all_member_add' ? ('all' as const) : ('admins' as const),
    disappearingSeconds: group.ephemeralSeconds,
    inviteCode: group.inviteCode,
    hasPicture: group.picture !== null,
    pictureId: pictureIdOf(group),
    requests: Object.entries(group.requests).map(([number, { by, at }]) => ({ number, by, timestamp: at })),
    members: Object.entries(group.members).map(([number, role]) => ({ number, role })),
  }
}

/** Members see neither the invite code nor the requests to join. */
function asSeenBy(account: Account, group: Group) {
  const whole = describeGroup(group)
  return isAdmin(group, account) ? whole : { ...whole, inviteCode: null, requests: [] }
}

// Calls about invitations to groups: sending personal ones, and joining with one or with an invite code.

type Actor = (view: View, group: Group, by: string | undefined, may: typeof mayAdd) => Account

function invitationCalls(app: FastifyInstance, state: StateWithPhones, actor: Actor): void {
  call(app, state, routes.sandboxInvite, async ({ params, body }, view) => {
    const group = view.group(params.jid)
    const people = body.members.map(view.person)
    const phone = view.phone(actor(view, group, body.by, mayAdd).number)
    if (people.some((person) => isMember(group, person))) throw refusal('already_a_member')
    const invitations: { number: string; messageId: string }[] = []
    for (const person of people) {
      const messageId = await sendInvitation(state, phone, group, person, body.caption)
      invitations.push({ number: person.number, messageId })
    }
    return { invitations }
  })
  call(app, state, routes.sandboxJoinGroup, async ({ params, body }, view) => {
    const phone = view.phone(params.number)
    const { group, join } =
      body.messageId === undefined
        ? withCode(state, phone.account, body.code ?? '')
        : withMessage(state, phone, body.messageId)
    if (isMember(group, phone.account)) throw refusal('already_a_member')
    const outcome = await join()
    if (!outcome) throw refusal('invite_expired')
    return { jid: group.jid, outcome }
  })
}

async function sendInvitation(
  state: StateWithPhones,
  phone: Phone,
  group: Group,
  person: Account,
  caption: string | undefined,
): Promise<string> {
  const invitation = invite(group, phone.account, person)
  writeGroup(state.database, group)
  const message = composeInvitation(group, invitation, caption)
  return send(state, phone, { chat: findChat(state.world, phone, person.number), message })
}

/** A group together with the way to join it. */
interface Entrance {
  group: Group
  join: () => Promise<JoinResult | undefined>
}

function withCode(state: StateWithPhones, account: Account, code: string): Entrance {
  const group = groupWithCode(state.world, code)
  if (group === 'revoked') throw refusal('invite_expired')
  if (!group) throw refusal('invite_not_found')
  return { group, join: () => joinByLink(state, group, account) }
}

function withMessage(state: StateWithPhones, phone: Phone, messageId: string): Entrance {
  const invitation = readInvitation(messageOn(state.database, phone, messageId).content)
  if (!invitation) throw refusal('not_an_invitation')
  const group = state.world.groups.get(invitation.jid)
  if (!group) throw refusal('invite_not_found')
  return { group, join: () => acceptInvitation(state, group, phone.account, invitation.code) }
}

function refusal(reason: SandboxReason): Refusal {
  return new Refusal(reason, sentenceOf(reason))
}
