// Rules of groups: who may change what, the network's code for each change of a member, and who becomes admin.
import { allows } from './privacy.ts'
import type { Account, Group, GroupRole, PersonalInvitation } from './world.ts'

export const MEMBER_CHANGES = ['add', 'remove', 'promote', 'demote'] as const
export type MemberChange = (typeof MEMBER_CHANGES)[number]

type Person = Pick<Account, 'number' | 'blocked' | 'addressBook' | 'privacy'>
type Members = Pick<Group, 'members'>

/** In characters, not in UTF-16 units. */
const MAX_SUBJECT_LENGTH = 100

/**
 * The network's code for one person: 200 changed, 202 an admin has to approve, 401 the person has blocked the actor, 403 the
 * person has to be invited, 404 not a member, 405 not possible for this member, 409 already a member.
 */
export type MemberCode = '200' | '202' | '401' | '403' | '404' | '405' | '409'

export function isMember(group: Members, { number }: { number: string }): boolean {
  return Object.hasOwn(group.members, number)
}

export function isAdmin(group: Members, { number }: { number: string }): boolean {
  const role = group.members[number]
  return role === 'admin' || role === 'superadmin'
}

/** Who may change subject, description, picture and timer. */
export function mayEdit(group: Pick<Group, 'members' | 'locked'>, person: { number: string }): boolean {
  return isAdmin(group, person) || (isMember(group, person) && !group.locked)
}

export function mayAdd(group: Pick<Group, 'members' | 'memberAddMode'>, person: { number: string }): boolean {
  return isAdmin(group, person) || (isMember(group, person) && group.memberAddMode === 'all_member_add')
}

export function isSubjectTooLong(subject: string): boolean {
  return Array.from(subject).length > MAX_SUBJECT_LENGTH
}

type ChangedGroup = Pick<Group, 'members' | 'joinApproval'>

/** Whether the change applies to this person. Whether the actor may make it at all is decided before. */
export function memberCode(
  group: ChangedGroup,
  actor: Person,
  change: MemberChange,
  person: Person,
): MemberCode {
  if (change === 'add') return addCode(group, actor, person)
  const role = group.members[person.number]
  if (!role) return '404'
  if (change === 'promote') return '200'
  // The creator stays until they leave, and a group is never without an admin.
  if (role === 'superadmin') return '405'
  const isLastAdmin = role === 'admin' && countAdmins(group) === 1
  return change === 'demote' && isLastAdmin ? '405' : '200'
}

function addCode(group: ChangedGroup, actor: Person, person: Person): MemberCode {
  if (isMember(group, person)) return '409'
  if (person.blocked.includes(actor.number)) return '401'
  if (!allows(person, 'groupadd', actor)) return '403'
  return group.joinApproval && !isAdmin(group, actor) ? '202' : '200'
}

/** The role after a change with code 200. Undefined: no longer a member. */
export function roleAfter(role: GroupRole | undefined, change: MemberChange): GroupRole | undefined {
  if (change === 'remove') return undefined
  if (change === 'promote') return role === 'superadmin' ? role : 'admin'
  return 'member'
}

export function isInvitationValid(invitation: PersonalInvitation, code: string, nowSeconds: number): boolean {
  return invitation.code === code && nowSeconds < invitation.expiresAt
}

/** The number of the member who becomes admin because no admin is left: the one who has been in the group longest. */
export function successor(group: Members): string | undefined {
  return countAdmins(group) > 0 ? undefined : Object.keys(group.members)[0]
}

/** The number of the person who changes the group unless a call names another: the creator, or else the first admin. */
export function defaultActor(group: Pick<Group, 'members' | 'creator'>): string {
  const [firstAdmin = group.creator] = adminsOf(group)
  return isMember(group, { number: group.creator }) ? group.creator : firstAdmin
}

function countAdmins(group: Members): number {
  return adminsOf(group).length
}

function adminsOf(group: Members): string[] {
  return Object.keys(group.members).filter((number) => isAdmin(group, { number }))
}
