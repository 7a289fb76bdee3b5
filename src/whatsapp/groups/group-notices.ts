// Notices of the network about a group: who changed what. Kept until the changed group is reported.

import type { GroupNotice, GroupNoticeKind, KnownPerson } from '../../network/groups.ts'
import {
  type BinaryNode,
  type Contact,
  getAllBinaryNodeChildren,
  getBinaryNodeChildren,
  jidNormalizedUser,
} from '../library/protocol.ts'
import { toKnownPerson } from '../people/identifiers.ts'

/** By the tag of the change in the notice. */
const KINDS: Record<string, GroupNoticeKind> = {
  create: 'join',
  subject: 'subject',
  description: 'description',
  announcement: 'announce',
  not_announcement: 'announce',
  locked: 'locked',
  unlocked: 'locked',
  membership_approval_mode: 'joinApproval',
  member_add_mode: 'memberAdd',
  ephemeral: 'disappearingSeconds',
  not_ephemeral: 'disappearingSeconds',
  add: 'add',
  remove: 'remove',
  leave: 'remove',
  promote: 'promote',
  demote: 'demote',
}

/** Undefined: the stanza is not about a group, or about nothing that is reported. */
export function toGroupNotice(stanza: BinaryNode): GroupNotice | undefined {
  const { tag, attrs } = stanza
  if (tag !== 'notification' || attrs.type !== 'w:gp2' || !attrs.from) return undefined
  const [change] = getAllBinaryNodeChildren(stanza)
  const what = change && KINDS[change.tag]
  if (!change || !what) return undefined
  const people = getBinaryNodeChildren(change, 'participant').flatMap(({ attrs: names }) =>
    [names.jid, names.phone_number, names.lid].filter((name) => name !== undefined).map(jidNormalizedUser),
  )
  return { jid: attrs.from, what, people, author: authorOf(attrs) }
}

/** The identifier in `participant` has the form that the group uses; the other form stands beside it. */
const authorOf = (attrs: Record<string, string>): KnownPerson | null =>
  toKnownPerson({
    ...(attrs.participant ? { id: attrs.participant } : {}),
    ...(attrs.participant_lid ? { lid: attrs.participant_lid } : {}),
    ...(attrs.participant_pn ? { phoneNumber: attrs.participant_pn } : {}),
    ...(attrs.notify ? { notify: attrs.notify } : {}),
  }) ?? null

/** This account as the author of a change. */
export const ownPerson = (me: Contact | undefined): KnownPerson | null =>
  (me &&
    toKnownPerson({
      id: me.id,
      ...(me.lid ? { lid: me.lid } : {}),
      ...(me.name ? { name: me.name } : {}),
    })) ??
  null

export interface GroupNotices {
  add(notice: GroupNotice): void
  /** Adds the notice in a stanza, if there is one. */
  noteStanza(stanza: BinaryNode): void
  /** The notices of a group that were not reported yet. */
  of(jid: string): readonly GroupNotice[]
  remove(reported: readonly GroupNotice[]): void
}

/** Per group. If a group cannot be read, only the latest notices are kept. */
const MAX_NOTICES = 50

export function createGroupNotices(): GroupNotices {
  const pending = new Map<string, GroupNotice[]>()
  function add(notice: GroupNotice): void {
    pending.set(notice.jid, [...(pending.get(notice.jid) ?? []), notice].slice(-MAX_NOTICES))
  }
  return {
    add,
    noteStanza(stanza) {
      const notice = toGroupNotice(stanza)
      if (notice) add(notice)
    },
    of: (jid) => pending.get(jid) ?? [],
    remove(reported) {
      for (const { jid } of reported) {
        const rest = (pending.get(jid) ?? []).filter((notice) => !reported.includes(notice))
        if (rest.length > 0) pending.set(jid, rest)
        else pending.delete(jid)
      }
    },
  }
}
