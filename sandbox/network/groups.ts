// Groups: how they are created, and changes of their settings, of which all members are notified.
import { randomInt } from 'node:crypto'
import type { Account, Group, MemberAddMode } from '../model/world.ts'
import { nowSeconds, stanza } from '../wire/stanza.ts'
import { changeMember } from './group-members.ts'
import { approvalNode, groupNode, type MemberResult } from './group-node.ts'
import { announce } from './group-notice.ts'
import { newInviteCode } from './invite-code.ts'
import type { WorldChangeState } from './sandbox-state.ts'

export interface CreatedGroup {
  group: Group
  /** One per person who was to be a member. */
  outcomes: MemberResult[]
}

export async function createGroup(
  state: WorldChangeState,
  creator: Account,
  subject: string,
  people: Account[],
): Promise<CreatedGroup> {
  const group = emptyGroup(creator, subject, state.world.addressing)
  const outcomes = [...new Set(people)]
    .filter((person) => person !== creator)
    .map((person) => changeMember(group, creator, 'add', person))
  state.world.groups.set(group.jid, group)
  await announce(state, group, creator, stanza('create', { type: 'new' }, [groupNode(state.world, group)]))
  return { group, outcomes }
}

function emptyGroup(creator: Account, subject: string, addressing: Group['addressing']): Group {
  const createdAt = Math.floor(Date.now() / 1000)
  return {
    jid: newGroupJid(),
    ...(creator.owner === undefined ? {} : { owner: creator.owner }),
    subject,
    subjectBy: creator.number,
    subjectAt: createdAt,
    description: null,
    creator: creator.number,
    createdAt,
    addressing,
    members: { [creator.number]: 'superadmin' },
    announcement: false,
    locked: false,
    memberAddMode: 'all_member_add',
    joinApproval: false,
    ephemeralSeconds: 0,
    inviteCode: newInviteCode(),
    revokedCodes: [],
    requests: {},
    invitations: {},
    picture: null,
    preview: null,
  }
}

/** Eighteen digits that start as those of the real network do. */
function newGroupJid(): string {
  const digits = String(randomInt(0, 1_000_000_000_000)).padStart(12, '0')
  return `120363${digits}@g.us`
}

export async function setSubject(state: WorldChangeState, group: Group, actor: Account, subject: string) {
  Object.assign(group, { subject, subjectBy: actor.number, subjectAt: Math.floor(Date.now() / 1000) })
  await announce(state, group, actor, stanza('subject', { subject, s_t: nowSeconds() }))
}

export async function setDescription(
  state: WorldChangeState,
  group: Group,
  actor: Account,
  text: string,
  id: string,
): Promise<void> {
  const at = Math.floor(Date.now() / 1000)
  group.description = text === '' ? null : { id, text, by: actor.number, at }
  const body = text === '' ? [stanza('delete')] : [stanza('body', {}, Buffer.from(text))]
  await announce(state, group, actor, stanza('description', { id }, body))
}

export async function setSetting(
  state: WorldChangeState,
  group: Group,
  actor: Account,
  setting: 'announcement' | 'locked',
  value: boolean,
): Promise<void> {
  group[setting] = value
  if (setting === 'locked') {
    await announce(state, group, actor, stanza(value ? 'locked' : 'unlocked'))
    return
  }
  group.announcementVersion = String(Date.now())
  const attributes = { v_id: group.announcementVersion }
  await announce(state, group, actor, stanza(value ? 'announcement' : 'not_announcement', attributes))
}

export async function setMemberAddMode(
  state: WorldChangeState,
  group: Group,
  actor: Account,
  mode: MemberAddMode,
) {
  group.memberAddMode = mode
  await announce(state, group, actor, stanza('member_add_mode', {}, Buffer.from(mode)))
}

export async function setJoinApproval(state: WorldChangeState, group: Group, actor: Account, isOn: boolean) {
  group.joinApproval = isOn
  await announce(state, group, actor, approvalNode(isOn ? 'on' : 'off'))
}

export async function setEphemeral(state: WorldChangeState, group: Group, actor: Account, seconds: number) {
  group.ephemeralSeconds = seconds
  const notice = seconds > 0 ? stanza('ephemeral', { expiration: String(seconds) }) : stanza('not_ephemeral')
  await announce(state, group, actor, notice)
}

export async function renewInvite(state: WorldChangeState, group: Group, actor: Account): Promise<void> {
  group.revokedCodes.push(group.inviteCode)
  group.inviteCode = newInviteCode()
  await announce(state, group, actor, stanza('invite', { code: group.inviteCode }))
}
