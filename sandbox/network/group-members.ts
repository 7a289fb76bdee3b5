// Members of groups: changes by others, joining, leaving, invitations and requests to join.
import {
  isAdmin,
  isInvitationValid,
  type MemberChange,
  memberCode,
  roleAfter,
  successor,
} from '../model/group-rules.ts'
import {
  type Account,
  type AccountDevice,
  deviceIds,
  type Group,
  type JoinMethod,
  type PersonalInvitation,
  type World,
} from '../model/world.ts'
import { writeGroup } from '../store/documents.ts'
import { stanza } from '../wire/stanza.ts'
import { groupNode, type MemberResult, memberNode } from './group-node.ts'
import { announce } from './group-notice.ts'
import { newInviteCode } from './invite-code.ts'
import { groupDevices } from './routing.ts'
import type { WorldChangeState } from './sandbox-state.ts'

const INVITATION_SECONDS = 3 * 86_400

/** Changes each person for whom the change is possible, and reports the outcome for all. */
export async function changeMembers(
  state: WorldChangeState,
  group: Group,
  actor: Account,
  change: MemberChange,
  people: Account[],
): Promise<MemberResult[]> {
  const before = groupDevices(state.world, group)
  const outcomes = [...new Set(people)].map((person) => changeMember(group, actor, change, person))
  const peopleWith = (code: string) =>
    outcomes.filter((outcome) => outcome.code === code).map(({ person }) => person)
  const changed = peopleWith('200')
  if (changed.length > 0) await announceChange(state, group, actor, change, changed, before)
  for (const person of peopleWith('202')) await requestToJoin(state, group, person, 'non_admin_add', actor)
  writeGroup(state.database, group)
  await state.database.committed()
  return outcomes
}

/** Applies the change to one person, in memory only. */
export function changeMember(
  group: Group,
  actor: Account,
  change: MemberChange,
  person: Account,
): MemberResult {
  const code = memberCode(group, actor, change, person)
  if (code === '403') return { person, code, invitation: invite(group, actor, person) }
  if (code === '200') applyChange(group, change, person)
  return { person, code }
}

function applyChange(group: Group, change: MemberChange, person: Account): void {
  const role = roleAfter(group.members[person.number], change)
  if (role) group.members[person.number] = role
  else delete group.members[person.number]
  if (change !== 'add') return
  delete group.requests[person.number]
  delete group.invitations[person.number]
}

/** New members get the whole group; those who were there before, or have been removed, get the change. */
async function announceChange(
  state: WorldChangeState,
  group: Group,
  actor: Account,
  change: MemberChange,
  people: Account[],
  before: AccountDevice[],
  reason?: 'invite',
): Promise<void> {
  const nodes = people.map((person) => memberNode(group, person))
  await announce(state, group, actor, stanza(change, { reason }, nodes), before)
  if (change !== 'add') return
  const created = stanza('create', { reason }, [groupNode(state.world, group)])
  await announce(state, group, actor, created, devicesOf(people))
}

export async function leaveGroup(state: WorldChangeState, group: Group, account: Account): Promise<void> {
  const before = groupDevices(state.world, group)
  applyChange(group, 'remove', account)
  await announceChange(state, group, account, 'remove', [account], before)
  const heir = state.world.accounts.get(successor(group) ?? '')
  if (!heir) return
  applyChange(group, 'promote', heir)
  await announceChange(state, group, account, 'promote', [heir], groupDevices(state.world, group))
}

export type JoinResult = 'joined' | 'requested'

/** The network distinguishes a replaced code from one that never existed. */
export function groupWithCode(world: World, code: string): Group | 'revoked' | undefined {
  const groups = [...world.groups.values()]
  const group = groups.find(({ inviteCode }) => inviteCode === code)
  if (group) return group
  return groups.some(({ revokedCodes }) => revokedCodes.includes(code)) ? 'revoked' : undefined
}

/** A person who is not in the group joins with the code of the invite link. */
export async function joinByLink(
  state: WorldChangeState,
  group: Group,
  account: Account,
): Promise<JoinResult> {
  if (!group.joinApproval) return join(state, group, account)
  await requestToJoin(state, group, account, 'invite_link', account)
  return 'requested'
}

/** Creates an invitation for one person, in memory only. An earlier one is no longer valid. */
export function invite(group: Group, inviter: Account, person: Account): PersonalInvitation {
  const expiresAt = Math.floor(Date.now() / 1000) + INVITATION_SECONDS
  const invitation = { code: newInviteCode(), expiresAt, by: inviter.number }
  group.invitations[person.number] = invitation
  return invitation
}

/** Accepts a personal invitation. Undefined when the code is wrong, used, revoked or expired. */
export async function acceptInvitation(
  state: WorldChangeState,
  group: Group,
  account: Account,
  code: string,
): Promise<JoinResult | undefined> {
  const invitation = group.invitations[account.number]
  const inviter = state.world.accounts.get(invitation?.by ?? '')
  const now = Math.floor(Date.now() / 1000)
  if (!inviter || !invitation || !isInvitationValid(invitation, code, now)) return undefined
  if (!group.joinApproval || isAdmin(group, inviter)) return join(state, group, account)
  delete group.invitations[account.number]
  writeGroup(state.database, group)
  await requestToJoin(state, group, account, 'non_admin_add', inviter)
  return 'requested'
}

export async function revokeInvitations(
  state: WorldChangeState,
  group: Group,
  people: Account[],
): Promise<void> {
  for (const person of people) delete group.invitations[person.number]
  writeGroup(state.database, group)
  await state.database.committed()
}

async function join(state: WorldChangeState, group: Group, account: Account): Promise<'joined'> {
  const before = groupDevices(state.world, group)
  applyChange(group, 'add', account)
  await announceChange(state, group, account, 'add', [account], before, 'invite')
  return 'joined'
}

async function requestToJoin(
  state: WorldChangeState,
  group: Group,
  applicant: Account,
  method: JoinMethod,
  by: Account,
): Promise<void> {
  if (group.requests[applicant.number]) return
  group.requests[applicant.number] = { method, by: by.number, at: Math.floor(Date.now() / 1000) }
  const notice = stanza('created_membership_requests', { request_method: method }, [
    memberNode(group, applicant),
  ])
  await announce(state, group, by, notice, adminDevices(state, group))
}

/** Approves or rejects requests to join, and reports 404 for people who have made none. */
export async function answerRequests(
  state: WorldChangeState,
  group: Group,
  admin: Account,
  action: 'approve' | 'reject',
  people: Account[],
): Promise<MemberResult[]> {
  const outcomes = [...new Set(people)].map(
    (person): MemberResult => ({ person, code: group.requests[person.number] ? '200' : '404' }),
  )
  const applicants = outcomes.filter(({ code }) => code === '200').map(({ person }) => person)
  if (applicants.length === 0) return outcomes
  const before = groupDevices(state.world, group)
  if (action === 'approve') {
    for (const person of applicants) applyChange(group, 'add', person)
    await announceChange(state, group, admin, 'add', applicants, before)
    return outcomes
  }
  for (const person of applicants) {
    delete group.requests[person.number]
    const notice = stanza('revoked_membership_requests', {}, [memberNode(group, person)])
    await announce(state, group, admin, notice, [...adminDevices(state, group), ...devicesOf([person])])
  }
  return outcomes
}

function adminDevices({ world }: Pick<WorldChangeState, 'world'>, group: Group): AccountDevice[] {
  return groupDevices(world, group).filter(({ account }) => isAdmin(group, account))
}

function devicesOf(people: Account[]): AccountDevice[] {
  return people.flatMap((account) => deviceIds(account).map((device) => ({ account, device })))
}
