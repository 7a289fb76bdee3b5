// The rules of groups: what has changed, and what the answer of the network about a person means.
import type { EventData } from '../contract/events.ts'
import type { MemberOutcome, RequestOutcome } from '../contract/groups.ts'
import { MEMBER_ACTIONS, type MemberAction } from '../contract/values.ts'
import type {
  GroupMember,
  GroupNotice,
  GroupSettings,
  KnownPerson,
  MemberAnswer,
  NetworkGroup,
} from '../network/groups.ts'

// Compares a stored group with what the network reports now: what has changed, and who changed it. A comparison also finds the
// changes that were made while the instance was offline; the notices of the network add the author of a change.

type Changes = EventData<'groups.update'>['changes']

/** Null: not known yet. A setting that becomes known has not changed. */
export type StoredSettings = { [K in keyof Required<GroupSettings>]: Required<GroupSettings>[K] | null }

export interface GroupSettingsChange {
  author: KnownPerson | null
  changes: Changes
}

export interface MembersChange {
  action: MemberAction
  author: KnownPerson | null
  people: KnownPerson[]
}

export const settingsOf = (group: NetworkGroup) => ({
  subject: group.subject,
  description: group.description,
  announce: group.isAnnouncement,
  locked: group.isLocked,
  joinApproval: group.joinApproval,
  memberAdd: group.memberAdd,
  disappearingSeconds: group.disappearingSeconds,
})

/** A description can be absent, so null is one of its values. */
const MAY_BE_NULL: ReadonlySet<string> = new Set(['description'])

/** One change per author, because two people may have changed the group since it was read. */
export function settingChanges(
  before: StoredSettings,
  after: NetworkGroup,
  notices: readonly GroupNotice[],
): GroupSettingsChange[] {
  const changed = Object.entries(settingsOf(after)).filter(([name, value]) => {
    const stored = before[name as keyof StoredSettings]
    return stored !== value && (stored !== null || MAY_BE_NULL.has(name))
  })
  const byAuthor = groupByAuthor(changed, ([name]) =>
    authorOf(notices, after.jid, name as keyof GroupSettings),
  )
  return byAuthor.map(({ author, items }) => ({ author, changes: Object.fromEntries(items) as Changes }))
}

/** One change per action and author. */
export function memberChanges(
  jid: string,
  before: readonly GroupMember[],
  after: readonly GroupMember[],
  notices: readonly GroupNotice[],
): MembersChange[] {
  const [earlier, now] = [byName(before), byName(after)]
  const concerned: Record<MemberAction, GroupMember[]> = {
    add: after.filter((member) => !findIn(earlier, member)),
    remove: before.filter((member) => !findIn(now, member)),
    promote: after.filter((member) => member.isAdmin && findIn(earlier, member)?.isAdmin === false),
    demote: after.filter((member) => !member.isAdmin && findIn(earlier, member)?.isAdmin === true),
  }
  return MEMBER_ACTIONS.flatMap((action) =>
    groupByAuthor(concerned[action], (member) => authorOf(notices, jid, action, member)).map(
      ({ author, items }) => ({ action, author, people: items.map(toPerson) }),
    ),
  )
}

/** The person who made the account a member of the group. */
export const joinAuthor = (jid: string, notices: readonly GroupNotice[]): KnownPerson | null =>
  authorOf(notices, jid, 'join') ?? authorOf(notices, jid, 'add')

/** The latest notice counts. */
export function authorOf(
  notices: readonly GroupNotice[],
  jid: string,
  what: GroupNotice['what'],
  member?: Pick<GroupMember, 'jid' | 'lid'>,
): KnownPerson | null {
  const isAbout = ({ people }: GroupNotice) =>
    !member || people.includes(member.jid) || (member.lid !== null && people.includes(member.lid))
  return (
    notices.findLast((notice) => notice.jid === jid && notice.what === what && isAbout(notice))?.author ??
    null
  )
}

function groupByAuthor<T>(
  items: readonly T[],
  authorOfItem: (item: T) => KnownPerson | null,
): { author: KnownPerson | null; items: T[] }[] {
  const found = new Map<string | undefined, { author: KnownPerson | null; items: T[] }>()
  for (const item of items) {
    const author = authorOfItem(item)
    const group = found.get(author?.jid) ?? { author, items: [] }
    group.items.push(item)
    found.set(author?.jid, group)
  }
  return [...found.values()]
}

/** Under both names: the network may show the number of a member later than the member. */
const byName = (members: readonly GroupMember[]): ReadonlyMap<string, GroupMember> =>
  new Map(
    members.flatMap((member) => [member.jid, member.lid].flatMap((name) => (name ? [[name, member]] : []))),
  )

const findIn = (members: ReadonlyMap<string, GroupMember>, { jid, lid }: GroupMember) =>
  members.get(jid) ?? (lid === null ? undefined : members.get(lid))

const toPerson = ({ jid, lid, phone }: GroupMember): KnownPerson => ({ jid, lid, phone, pushName: null })

// What the network's answer about one person means for the caller.

const DONE = 200
const NOT_FOUND = 404
const ALREADY = 409

interface Meaning<Outcome> {
  outcome: Outcome
  networkCode: number | null
}

/** By action and code. Any other code is a refusal. */
const MEMBER_CODES: Record<MemberAction, Record<number, MemberOutcome>> = {
  add: { [DONE]: 'added', [NOT_FOUND]: 'not_on_network', [ALREADY]: 'already_member' },
  remove: { [DONE]: 'removed', [NOT_FOUND]: 'not_a_member' },
  promote: { [DONE]: 'promoted', [NOT_FOUND]: 'not_a_member' },
  demote: { [DONE]: 'demoted', [NOT_FOUND]: 'not_a_member' },
}
const REQUEST_CODES: Record<'approve' | 'reject', Record<number, RequestOutcome>> = {
  approve: { [DONE]: 'approved', [NOT_FOUND]: 'no_request' },
  reject: { [DONE]: 'rejected', [NOT_FOUND]: 'no_request' },
}

export function memberOutcome(
  action: MemberAction,
  { code, isInvited }: MemberAnswer,
): Meaning<MemberOutcome> {
  return isInvited ? { outcome: 'invited', networkCode: null } : meaning(MEMBER_CODES[action], code)
}

export const requestOutcome = (
  answer: 'approve' | 'reject',
  { code }: Pick<MemberAnswer, 'code'>,
): Meaning<RequestOutcome> => meaning(REQUEST_CODES[answer], code)

const meaning = <Outcome extends string>(
  codes: Record<number, Outcome>,
  code: number,
): Meaning<Outcome | 'refused'> => {
  const outcome = codes[code]
  return outcome === undefined ? { outcome: 'refused', networkCode: code } : { outcome, networkCode: null }
}
