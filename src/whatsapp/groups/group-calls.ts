// Calls about groups. After each change the group is read and reported, with this account as the author.

import type {
  GroupCalls,
  GroupNoticeKind,
  GroupSettings,
  MemberAnswer,
  PersonNames,
} from '../../network/groups.ts'
import { NetworkError } from '../../network/network.ts'
import type { LibrarySocket } from '../library/library-socket.ts'
import { type GroupMetadata, jidNormalizedUser } from '../library/protocol.ts'
import { uploadPicture } from '../library/upload-picture.ts'
import { withTimeout } from '../library/with-timeout.ts'
import type { PictureNotices } from '../people/picture-notices.ts'
import { networkCode, toNetworkError } from '../sending/refusals.ts'
import { toInvitePreview, toJoinRequest } from './conversions.ts'
import type { GroupReader } from './group-reader.ts'
import type { Invitations } from './invitations.ts'
import { answersFor } from './member-answers.ts'

/** For a whole call, with all its queries: shorter than a call between nodes may take. */
const ANSWER_MS = 20_000

export interface GroupCallParts {
  socket: LibrarySocket
  groups: GroupReader
  invitations: Pick<Invitations, 'send'>
  /** The identifiers of this account. */
  ownNames(): string[]
  pictures: Pick<PictureNotices, 'noteOwn' | 'forgetOwn'>
  /** Reports that this session has changed the picture of a group. */
  reportPicture(jid: string, change: 'set' | 'removed'): Promise<void>
}

export function createGroupCalls(parts: GroupCallParts): GroupCalls {
  const { socket, groups } = parts
  const limited = <T>(work: Promise<T>, what = 'the group'): Promise<T> => withTimeout(work, ANSWER_MS, what)
  const permitted = <T>(jid: string, work: () => Promise<T>) => limited(asMember(groups, jid, work))
  const refresh = async (jid: string) => void (await groups.read(jid, 'always_report'))

  return {
    refreshGroup: (jid) => limited(refresh(jid)),
    createGroup: (subject, people) => limited(create(parts, subject, people)),
    changeGroup: (jid, settings) => permitted(jid, () => change(parts, jid, settings)),
    changeMembers: (jid, action, people) =>
      permitted(jid, async () => {
        const answers = await changeEach(parts, jid, action, people)
        await refresh(jid)
        return answers
      }),
    setGroupPicture: (jid, picture) => permitted(jid, () => setPicture(parts, jid, picture)),
    groupInvite: (jid) => permitted(jid, async () => required(await socket.groupInviteCode(jid))),
    resetGroupInvite: (jid) => permitted(jid, async () => required(await socket.groupRevokeInvite(jid))),
    previewInvite: (code) =>
      limited(asInvited(async () => toInvitePreview(await socket.groupGetInviteInfo(code)))),
    joinGroup: (code) => limited(asInvited(() => join(parts, code))),
    leaveGroup: (jid) => permitted(jid, () => leave(parts, jid)),
    listJoinRequests: (jid) =>
      permitted(jid, async () => {
        const requests = await socket.groupRequestParticipantsList(jid)
        return Promise.all(requests.map((request) => toJoinRequest(request, socket.otherNameOf)))
      }),
    answerJoinRequests: (jid, answer, people) =>
      permitted(jid, async () => {
        const ids = people.map((person) => person.lid ?? person.jid)
        const answered = await socket.groupRequestParticipantsUpdate(jid, ids, answer)
        if (answer === 'approve') noteOwn(parts, jid, 'add', people.flatMap(givenNames))
        await refresh(jid)
        return answersFor(
          ids.map((id) => [id]),
          answered,
        ).map(({ code }) => ({ code, isInvited: false }))
      }),
  }
}

const FORBIDDEN: ReadonlySet<number | null> = new Set([401, 403])
const GONE: ReadonlySet<number | null> = new Set([404, 410])

/** The network uses the same codes for a stranger and for a member who is not an admin: reading the group tells them apart. */
async function asMember<T>(
  groups: Pick<GroupReader, 'read'>,
  jid: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const code = networkCode(error)
    if (!FORBIDDEN.has(code) && !GONE.has(code)) throw error
    await groups.read(jid)
    if (GONE.has(code)) throw error
    throw new NetworkError('not_a_group_admin', 'only an admin of the group may do this', error, code)
  }
}

/** Malformed, unknown, revoked. */
const NO_INVITE: ReadonlySet<number | null> = new Set([400, 404, 406, 410])

async function asInvited<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const code = networkCode(error)
    if (!NO_INVITE.has(code)) throw error
    throw new NetworkError('unknown_invite', 'the invite code is not valid', error, code)
  }
}

const required = (code: string | undefined): string => {
  if (code === undefined) throw new NetworkError('refused', 'the network returned no invite code')
  return code
}

type Setter<K extends keyof GroupSettings> = (
  socket: LibrarySocket,
  jid: string,
  value: NonNullable<GroupSettings[K]> | Extract<GroupSettings[K], null>,
) => Promise<void>

/** In this order: a group that becomes locked or closed is changed last. */
const SETTERS: { [K in keyof Required<GroupSettings>]: Setter<K> } = {
  subject: (socket, jid, subject) => socket.groupUpdateSubject(jid, subject),
  description: (socket, jid, text) => socket.groupUpdateDescription(jid, text || undefined),
  disappearingSeconds: (socket, jid, seconds) => socket.groupToggleEphemeral(jid, seconds),
  joinApproval: (socket, jid, isOn) => socket.groupJoinApprovalMode(jid, isOn ? 'on' : 'off'),
  memberAdd: (socket, jid, who) =>
    socket.groupMemberAddMode(jid, who === 'all' ? 'all_member_add' : 'admin_add'),
  announce: (socket, jid, isOn) => socket.groupSettingUpdate(jid, isOn ? 'announcement' : 'not_announcement'),
  locked: (socket, jid, isOn) => socket.groupSettingUpdate(jid, isOn ? 'locked' : 'unlocked'),
}

async function change(parts: GroupCallParts, jid: string, settings: GroupSettings): Promise<void> {
  const names = (Object.keys(SETTERS) as (keyof GroupSettings)[]).filter(
    (name) => settings[name] !== undefined,
  )
  try {
    for (const name of names) {
      await (SETTERS[name] as Setter<keyof GroupSettings>)(parts.socket, jid, settings[name] as never)
      noteOwn(parts, jid, name)
    }
  } finally {
    // Also after a refusal: the changes before it were made.
    await parts.groups.read(jid, 'always_report')
  }
}

async function create(parts: GroupCallParts, subject: string, people: PersonNames[]) {
  const { socket, groups } = parts
  const { id: jid } = await socket.groupCreate(
    subject,
    people.map((person) => person.jid),
  )
  noteOwn(parts, jid, 'join')
  const group = await groups.read(jid, 'always_report')
  const answers: MemberAnswer[] = people.map(() => ({ code: DONE, isInvited: false }))
  // The answer to the request does not say why a person is missing. Adding the person again does.
  const missing = (
    await Promise.all(people.map(async (each) => !(await isMember(parts, group, each))))
  ).flatMap((isMissing, index) => (isMissing ? [index] : []))
  if (missing.length === 0) return { jid, answers }
  const again = await changeEach(
    parts,
    jid,
    'add',
    missing.map((index) => people[index] as PersonNames),
  )
  for (const [at, index] of missing.entries()) answers[index] = again[at] as MemberAnswer
  await groups.read(jid, 'always_report')
  return { jid, answers }
}

const DONE = 200

async function isMember(
  { socket }: GroupCallParts,
  group: GroupMetadata,
  person: PersonNames,
): Promise<boolean> {
  const names = await allNames(socket, person)
  return group.participants.some(({ id, phoneNumber, lid }) =>
    [id, phoneNumber, lid].some((name) => name !== undefined && names.includes(jidNormalizedUser(name))),
  )
}

/** Changes members, and invites people who can only be invited. */
async function changeEach(
  parts: GroupCallParts,
  jid: string,
  action: Parameters<GroupCalls['changeMembers']>[1],
  people: PersonNames[],
): Promise<MemberAnswer[]> {
  const { socket, groups, invitations } = parts
  const members = action === 'add' ? undefined : await groups.forSending(jid)
  const ids = people.map((person) => idIn(members, person))
  const answered = await socket.groupParticipantsUpdate(jid, ids, action)
  const requested = await Promise.all(people.map((person) => allNames(socket, person)))
  noteOwn(parts, jid, action, requested.flat())
  const answers = answersFor(requested, answered)
  const results: MemberAnswer[] = []
  for (const [index, { code, invitation }] of answers.entries()) {
    const group = invitation && (await groups.read(jid))
    const isInvited =
      group !== undefined &&
      (await invitations
        .send(
          ids[index] as string,
          { jid, subject: group.subject },
          invitation as NonNullable<typeof invitation>,
        )
        .catch(() => false))
    results.push({ code, isInvited })
  }
  return results
}

/** The identifier that the group itself uses for the person. */
const idIn = (group: Pick<GroupMetadata, 'participants'> | undefined, { jid, lid }: PersonNames): string =>
  lid !== null && group?.participants.some(({ id }) => jidNormalizedUser(id) === lid) ? lid : jid

const givenNames = ({ jid, lid }: PersonNames): string[] => (lid === null ? [jid] : [jid, lid])

async function allNames(socket: LibrarySocket, person: PersonNames): Promise<string[]> {
  const other = person.lid ?? (await socket.otherNameOf(person.jid))
  return other ? [person.jid, jidNormalizedUser(other)] : [person.jid]
}

async function setPicture(parts: GroupCallParts, jid: string, picture: Uint8Array | null): Promise<void> {
  const { socket, pictures } = parts
  pictures.noteOwn(jid)
  try {
    await (picture ? uploadPicture(socket, jid, picture) : socket.removeProfilePicture(jid))
  } catch (error) {
    pictures.forgetOwn(jid)
    throw toNetworkError(error)
  }
  await parts.reportPicture(jid, picture ? 'set' : 'removed')
}

const ALREADY = 409

async function join(parts: GroupCallParts, code: string) {
  const { socket, groups } = parts
  const joined = await socket.groupAcceptInvite(code).catch((error: unknown) => {
    if (networkCode(error) === ALREADY) return 'already' as const
    throw error
  })
  // Without the group in the answer an admin has to approve the request.
  const jid =
    joined === undefined || joined === 'already' ? (await socket.groupGetInviteInfo(code)).id : joined
  if (joined === undefined) return { jid, isMember: false }
  noteOwn(parts, jid, 'join')
  await groups.read(jid, 'always_report')
  return { jid, isMember: true }
}

async function leave(parts: GroupCallParts, jid: string): Promise<void> {
  await parts.socket.groupLeave(jid)
  noteOwn(parts, jid, 'remove', parts.ownNames())
  await parts.groups.reportLeft(jid)
}

/** Before the group is read, so that the change is reported with its author. */
const noteOwn = (
  { groups }: GroupCallParts,
  jid: string,
  what: GroupNoticeKind,
  people: string[] = [],
): void => groups.noteOwn(jid, what, people)
