// The part of the network port about groups: what a session can do with them, and what it reports.
import type { MemberAction } from '../contract/values.ts'

/** A person with both identifiers; `jid` is the one by phone number if it is known. */
export interface KnownPerson {
  jid: string
  lid: string | null
  phone: string | null
  /** Belongs to the lid. Absent: the network did not say one. */
  username?: string | null | undefined
  pushName: string | null
}

/** A member with both identifiers; `jid` is the one by phone number if it is known. */
export interface GroupMember {
  jid: string
  lid: string | null
  phone: string | null
  username?: string | null | undefined
  isAdmin: boolean
}

export interface NetworkGroup {
  jid: string
  subject: string
  description: string | null
  ownerJid: string | null
  createdAtMs: number | null
  isAdmin: boolean
  isAnnouncement: boolean
  isLocked: boolean
  /** New members need the approval of an admin. */
  joinApproval: boolean
  /** Who may add members. */
  memberAdd: 'all' | 'admins'
  /** 0: messages do not disappear. */
  disappearingSeconds: number
  participants: GroupMember[]
}

/** The settings of a group. Absent: unchanged. */
export interface GroupSettings {
  subject?: string | undefined
  /** Null removes it. */
  description?: string | null | undefined
  announce?: boolean | undefined
  locked?: boolean | undefined
  joinApproval?: boolean | undefined
  memberAdd?: 'all' | 'admins' | undefined
  disappearingSeconds?: number | undefined
}

/** `join`: the account has created the group, joined it or was added to it. */
export type GroupNoticeKind = keyof GroupSettings | MemberAction | 'join'

/** The network reported who made a change. The change itself is read from the group, so that none is missed. */
export interface GroupNotice {
  jid: string
  what: GroupNoticeKind
  /** All identifiers of the people concerned, for a change of members. */
  people: string[]
  author: KnownPerson | null
}

/** The answer of the network about one person. */
export interface MemberAnswer {
  /** 200, or the code of a refusal. */
  code: number
  /** The person must be invited, and the invitation was sent. */
  isInvited: boolean
}

export interface InvitePreview {
  jid: string
  subject: string
  description: string | null
  ownerJid: string | null
  createdAtMs: number | null
  size: number
  joinApproval: boolean
}

export interface JoinRequest {
  jid: string
  lid: string | null
  phone: string | null
  requestedAtMs: number | null
}

export interface Joined {
  jid: string
  /** False: an admin has to approve the request first. */
  isMember: boolean
}

/** Names of a person, of which the network uses one in a group. */
export type PersonNames = Pick<KnownPerson, 'jid' | 'lid'>

/**
 * Calls about groups. A change is reported before its promise resolves. Each rejects with `not_a_group_member` or
 * `not_a_group_admin` if the account is not allowed to do it.
 */
export interface GroupCalls {
  /** Reads one group from the network and reports it. */
  refreshGroup(jid: string): Promise<void>
  /** Returns the group, and one answer per person in the same order. */
  createGroup(subject: string, people: PersonNames[]): Promise<{ jid: string; answers: MemberAnswer[] }>
  /** Makes the changes one after the other, and stops at the first that is refused. */
  changeGroup(jid: string, settings: GroupSettings): Promise<void>
  /** Null removes the picture. Otherwise it is a JPEG, which is uploaded as it is. */
  setGroupPicture(jid: string, picture: Uint8Array | null): Promise<void>
  /** One answer per person, in the same order. */
  changeMembers(jid: string, action: MemberAction, people: PersonNames[]): Promise<MemberAnswer[]>
  groupInvite(jid: string): Promise<string>
  /** Returns the new code. The old one is no longer valid. */
  resetGroupInvite(jid: string): Promise<string>
  /** Rejects with `unknown_invite` if the code is not valid. */
  previewInvite(code: string): Promise<InvitePreview>
  /** Rejects with `unknown_invite` if the code is not valid. */
  joinGroup(code: string): Promise<Joined>
  leaveGroup(jid: string): Promise<void>
  listJoinRequests(jid: string): Promise<JoinRequest[]>
  answerJoinRequests(
    jid: string,
    answer: 'approve' | 'reject',
    people: PersonNames[],
  ): Promise<MemberAnswer[]>
}

/** The names of the calls, for the parts that pass them on. */
export const GROUP_CALLS = [
  'refreshGroup',
  'createGroup',
  'changeGroup',
  'setGroupPicture',
  'changeMembers',
  'groupInvite',
  'resetGroupInvite',
  'previewInvite',
  'joinGroup',
  'leaveGroup',
  'listJoinRequests',
  'answerJoinRequests',
] as const satisfies readonly (keyof GroupCalls)[]

/** The same calls for the session of an instance. */
export type LiveGroupCalls = {
  [K in keyof GroupCalls]: (
    instanceId: number,
    ...args: Parameters<GroupCalls[K]>
  ) => ReturnType<GroupCalls[K]>
}
