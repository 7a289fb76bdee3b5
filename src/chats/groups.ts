// Groups: each change is made on the network first. The session reports the changed group before it answers, so that the stored
// group is current when the use case reads it.
import type { z } from 'zod'
import type { Caller } from '../accounts/caller.ts'
import { rowWallsOf } from '../accounts/walls.ts'
import * as rows from '../contacts/contact-queries.ts'
import { lookUpAll } from '../contacts/numbers.ts'
import { chatPictureUrl } from '../contacts/rules.ts'
import { numberCandidates } from '../contacts/rules-numbers.ts'
import type { Deps } from '../context.ts'
import type { Group } from '../contract/contacts.ts'
import type { MemberOutcome, RequestOutcome } from '../contract/groups.ts'
import type { MemberAction } from '../contract/values.ts'
import { GatewayError } from '../errors.ts'
import { type NamedPicture, readNamedPicture } from '../files/uploads.ts'
import type { InstanceRow } from '../instances/instance-queries.ts'
import { requireInstance, requireOpenInstance, toReference } from '../instances/instances.ts'
import { isoOrNull } from '../kernel/time.ts'
import type {
  GroupMember,
  GroupSettings,
  JoinRequest,
  LiveGroupCalls,
  MemberAnswer,
  PersonNames,
} from '../network/groups.ts'
import { isLid, personJid } from '../network/jid.ts'
import { NetworkError } from '../network/network.ts'
import type { Db } from '../store/tables.ts'
import { formsOf } from './chat-reports.ts'
import { jidOfPerson, shownName, withPersonIds } from './rules.ts'
import { memberOutcome, requestOutcome } from './rules-groups.ts'

type GroupDeps = Pick<Deps, 'store' | 'sessions' | 'clock'>
type CreateDeps = GroupDeps & Pick<Deps, 'checkUrl' | 'readPicture'>

/** A group of an instance, as a path and a query name it. */
export interface GroupAddress {
  instanceName: string
  groupJid: string
}

const INVITE_LINK = 'https://chat.whatsapp.com/'

export interface GroupToCreate {
  instanceName: string
  subject: string
  members: string[]
  description?: string | undefined
  picture?: NamedPicture | undefined
}

export async function createGroup(deps: CreateDeps, caller: Caller, input: GroupToCreate) {
  const { sessions } = deps
  const instance = await requireOpenInstance(deps, caller, input.instanceName)
  const picture = input.picture && (await readNamedPicture(deps, caller, input.picture))
  const found = await lookUpAll(deps, instance.id, input.members)
  const people = found.filter((person) => person !== null)
  const { jid, answers } = await sessions.createGroup(instance.id, input.subject, people)
  if (input.description) await sessions.changeGroup(instance.id, jid, { description: input.description })
  const pictureOutcome = picture
    ? await pictureSet(sessions.setGroupPicture(instance.id, jid, picture))
    : null
  return {
    picture: pictureOutcome,
    group: await storedGroup(deps, caller, instance, jid),
    members: toOutcomes(input.members, found, answers, (answer) =>
      answer ? memberOutcome('add', answer) : NOT_ON_NETWORK,
    ),
  }
}

/** The group exists already: an error would hide it. */
async function pictureSet(setting: Promise<void>): Promise<'set' | 'failed'> {
  try {
    await setting
    return 'set'
  } catch (error) {
    if (error instanceof NetworkError) return 'failed'
    throw error
  }
}

export async function listGroups(
  deps: Pick<Deps, 'store'>,
  caller: Caller,
  query: { instanceName: string; participants: boolean; member?: string | undefined },
) {
  const instance = await requireInstance(deps, caller.account.id, query.instanceName)
  const walls = await rowWallsOf(deps.store.db, caller)
  const all = await rows.listGroups(deps.store.db, instance.id, walls)
  const found =
    query.member === undefined ? all : await groupsOf(deps.store.db, instance.id, all, query.member)
  const pictureUrl = (row: rows.GroupRow) =>
    chatPictureUrl(caller.origin, instance.api_name, row.jid, row.picture_version)
  const groups = found.map((row) => toGroup(row, pictureUrl(row), query.participants))
  return {
    instance: toReference(instance),
    groups: groups.sort((a, b) => compare(a.subject, b.subject) || compare(a.groupJid, b.groupJid)),
  }
}

/** Those that the person is a member of, by number or by lid, whichever of both the group has. */
async function groupsOf(db: Db, instanceId: number, groups: rows.GroupRow[], name: string) {
  const forms = new Set(await formsOf(db, instanceId, jidOfPerson(name)))
  return groups.filter(({ participants }) =>
    (JSON.parse(participants) as StoredMember[]).some(
      ({ jid, lid, phone }) =>
        forms.has(jid) || (lid && forms.has(lid)) || (phone && forms.has(personJid(phone))),
    ),
  )
}

export async function getGroup(deps: GroupDeps, caller: Caller, address: GroupAddress) {
  return changed(deps, caller, address, (call) => call('refreshGroup'))
}

export async function updateGroup(
  deps: GroupDeps,
  caller: Caller,
  { settings, ...address }: GroupAddress & { settings: GroupSettings },
) {
  return changed(deps, caller, address, (call) => call('changeGroup', settings))
}

/** Null removes the picture. */
export async function setGroupPicture(
  deps: GroupDeps & Pick<Deps, 'readPicture'>,
  caller: Caller,
  { picture, ...address }: GroupAddress & { picture: Uint8Array | null },
) {
  return changed(deps, caller, address, async (call) => {
    const converted = picture && (await deps.readPicture(caller.account.id, { bytes: picture }, 'body'))
    await call('setGroupPicture', converted)
  })
}

export async function changeMembers(
  deps: GroupDeps,
  caller: Caller,
  { action, numbers, ...address }: GroupAddress & { action: MemberAction; numbers: string[] },
) {
  const { sessions } = deps
  const instance = await requireOpenInstance(deps, caller, address.instanceName)
  const isAdding = action === 'add'
  const found = isAdding
    ? await lookUpAll(deps, instance.id, numbers)
    : findNumbers(numbers, await currentMembers(deps, instance.id, address.groupJid))
  const people = found.filter((person) => person !== null)
  const answers =
    people.length === 0 ? [] : await sessions.changeMembers(instance.id, address.groupJid, action, people)
  const missing = isAdding ? NOT_ON_NETWORK : NOT_A_MEMBER
  return {
    group: await storedGroup(deps, caller, instance, address.groupJid),
    members: toOutcomes(numbers, found, answers, (answer) =>
      answer ? memberOutcome(action, answer) : missing,
    ),
  }
}

export async function groupInvite(
  deps: GroupDeps,
  caller: Caller,
  { instanceName, groupJid }: GroupAddress,
  how: 'groupInvite' | 'resetGroupInvite',
) {
  const instance = await requireOpenInstance(deps, caller, instanceName)
  const code = await deps.sessions[how](instance.id, groupJid)
  return { code, link: INVITE_LINK + code }
}

export async function previewInvite(
  deps: GroupDeps,
  caller: Caller,
  { instanceName, code }: { instanceName: string; code: string },
) {
  const instance = await requireOpenInstance(deps, caller, instanceName)
  const { jid, createdAtMs, ...preview } = await deps.sessions.previewInvite(instance.id, code)
  return { groupJid: jid, ...preview, createdAt: isoOrNull(createdAtMs) }
}

export async function joinGroup(
  deps: GroupDeps,
  caller: Caller,
  { instanceName, code }: { instanceName: string; code: string },
) {
  const instance = await requireOpenInstance(deps, caller, instanceName)
  const { jid, isMember } = await deps.sessions.joinGroup(instance.id, code)
  return { groupJid: jid, status: isMember ? ('joined' as const) : ('requested' as const) }
}

export async function leaveGroup(deps: GroupDeps, caller: Caller, { instanceName, groupJid }: GroupAddress) {
  const instance = await requireOpenInstance(deps, caller, instanceName)
  await deps.sessions.leaveGroup(instance.id, groupJid)
}

export async function listJoinRequests(deps: GroupDeps, caller: Caller, address: GroupAddress) {
  const instance = await requireOpenInstance(deps, caller, address.instanceName)
  const requests = await deps.sessions.listJoinRequests(instance.id, address.groupJid)
  return requests.map(toJoinRequest)
}

export async function answerJoinRequests(
  deps: GroupDeps,
  caller: Caller,
  { answer, numbers, ...address }: GroupAddress & { answer: 'approve' | 'reject'; numbers: string[] },
) {
  const { sessions } = deps
  const instance = await requireOpenInstance(deps, caller, address.instanceName)
  const found = findNumbers(numbers, await sessions.listJoinRequests(instance.id, address.groupJid))
  const people = found.filter((person) => person !== null)
  const answers =
    people.length === 0
      ? []
      : await sessions.answerJoinRequests(instance.id, address.groupJid, answer, people)
  return {
    group: await storedGroup(deps, caller, instance, address.groupJid),
    requests: toOutcomes(numbers, found, answers, (given) =>
      given ? requestOutcome(answer, given) : NO_REQUEST,
    ),
  }
}

const NOT_ON_NETWORK = { outcome: 'not_on_network' satisfies MemberOutcome, networkCode: null } as const
const NOT_A_MEMBER = { outcome: 'not_a_member' satisfies MemberOutcome, networkCode: null } as const
const NO_REQUEST = { outcome: 'no_request' satisfies RequestOutcome, networkCode: null } as const

type GroupCall = <K extends 'refreshGroup' | 'changeGroup' | 'setGroupPicture'>(
  name: K,
  ...args: Parameters<LiveGroupCalls[K]> extends [number, string, ...infer Rest] ? Rest : never
) => Promise<void>

/** Makes one call about a group, and returns the group as it is stored afterwards. */
async function changed(
  deps: GroupDeps,
  caller: Caller,
  { instanceName, groupJid }: GroupAddress,
  change: (call: GroupCall) => Promise<void>,
) {
  const instance = await requireOpenInstance(deps, caller, instanceName)
  await change((name, ...args) => {
    const call = deps.sessions[name] as (id: number, jid: string, ...rest: unknown[]) => Promise<void>
    return call(instance.id, groupJid, ...args)
  })
  return storedGroup(deps, caller, instance, groupJid)
}

async function storedGroup({ store }: GroupDeps, caller: Caller, instance: InstanceRow, jid: string) {
  const row = await rows.findGroup(store.db, instance.id, jid)
  // The account was removed from the group meanwhile.
  if (!row) throw new GatewayError('not_a_group_member')
  const picture = chatPictureUrl(caller.origin, instance.api_name, jid, row.picture_version)
  return toGroup(row, picture, true)
}

async function currentMembers({ store, sessions }: GroupDeps, instanceId: number, jid: string) {
  await sessions.refreshGroup(instanceId, jid)
  const row = await rows.findGroup(store.db, instanceId, jid)
  return row ? (JSON.parse(row.participants) as GroupMember[]) : []
}

/** By lid, or by number, whose form in a request may differ from the network's. */
function findNumbers(
  names: string[],
  people: readonly Pick<JoinRequest, 'jid' | 'lid' | 'phone'>[],
): (PersonNames | null)[] {
  return names.map((name) => {
    const forms = numberCandidates(name)
    const person = people.find(({ jid, lid, phone }) =>
      isLid(name) ? lid === name || jid === name : phone !== null && forms.includes(phone),
    )
    return person ? { jid: person.jid, lid: person.lid } : null
  })
}

/** Answers exist only for the people who were found, in the order of the numbers. */
function toOutcomes<Outcome extends object>(
  numbers: string[],
  found: readonly (PersonNames | null)[],
  answers: readonly MemberAnswer[],
  outcomeOf: (answer: MemberAnswer | undefined) => Outcome,
): (Outcome & ReturnType<typeof shownName>)[] {
  const remaining = [...answers]
  return numbers.map((name, index) => ({
    ...shownName(name),
    ...outcomeOf(found[index] ? remaining.shift() : undefined),
  }))
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const toJoinRequest = ({ jid, lid, phone, requestedAtMs }: JoinRequest) => ({
  ...withPersonIds({ jid, lid, phone }),
  requestedAt: isoOrNull(requestedAtMs),
})

/** The lid is absent in groups that an older program has stored. */
type StoredMember = Omit<GroupMember, 'lid'> & { lid?: string | null }

const toParticipant = ({ jid, lid = null, phone, username, isAdmin }: StoredMember) => ({
  ...withPersonIds({ jid, lid, phone, username }),
  isAdmin,
})

export const toGroup = (
  row: rows.GroupRow,
  profilePictureUrl: string | null,
  withParticipants: boolean,
): z.output<typeof Group> => ({
  id: row.jid,
  groupJid: row.jid,
  subject: row.subject,
  description: row.description,
  ownerJid: row.owner_jid,
  createdAt: isoOrNull(row.group_created_at),
  size: row.size,
  isAdmin: row.is_admin === 1,
  isAnnouncement: row.is_announcement === 1,
  isLocked: row.is_locked === 1,
  joinApproval: row.join_approval === null ? null : row.join_approval === 1,
  memberAdd: row.member_add as z.output<typeof Group>['memberAdd'],
  disappearingSeconds: row.disappearing_seconds,
  profilePictureUrl,
  ...(withParticipants
    ? { participants: (JSON.parse(row.participants) as StoredMember[]).map(toParticipant) }
    : {}),
})
