// The groups that a session has read, with what sending needs: members, addressing and disappearing messages.

import { createBoundedMap } from '../../kernel/async/bounded-map.ts'
import { type GroupMetadata, jidNormalizedUser } from '../library/protocol.ts'

/** Members of all kept groups together: about half a megabyte per session. */
const MAX_MEMBERS = 5000

/** What a stanza says about a group: who takes part in it, and how the network addresses its members. */
export interface GroupEvidence {
  participant: string | undefined
  addressing: string | undefined
}

export interface KeptGroups {
  get(jid: string): GroupMetadata | undefined
  /** Evicts the groups that were not used for the longest time. Returns the group. */
  keep(group: GroupMetadata): GroupMetadata
  /** Keeps the group only if there is room for it. */
  keepIfRoom(group: GroupMetadata): void
  forget(jid: string): void
  forgetAll(): void
  /** Whether a kept group cannot be current, because the stanza contradicts it. */
  isContradicted(jid: string, evidence: GroupEvidence): boolean
}

interface Kept {
  group: GroupMetadata
  members: ReadonlySet<string>
}

export function createKeptGroups(maxMembers = MAX_MEMBERS): KeptGroups {
  // The group that was just read is kept, however large it is.
  const entries = createBoundedMap<string, Kept>(maxMembers, { weigh: ({ members }) => members.size })

  function add(group: GroupMetadata): void {
    const members = new Set(group.participants.map(({ id }) => jidNormalizedUser(id)))
    entries.set(group.id, { group: neededToSend(group), members })
  }

  return {
    get: (jid) => entries.get(jid)?.group,
    keep(group) {
      add(group)
      return group
    },
    keepIfRoom(group) {
      const isKept = entries.peek(group.id) !== undefined
      if (isKept || entries.weight + group.participants.length <= maxMembers) add(group)
    },
    forget: (jid) => void entries.delete(jid),
    forgetAll: () => entries.clear(),
    isContradicted(jid, { participant, addressing }) {
      const entry = entries.peek(jid)
      if (!entry) return false
      const isOther = addressing !== undefined && addressing !== String(entry.group.addressingMode)
      return isOther || (participant !== undefined && !entry.members.has(jidNormalizedUser(participant)))
    },
  }
}

/** The whole description has several texts per member; a session may have thousands of members to keep. */
const neededToSend = ({
  id,
  addressingMode,
  ephemeralDuration,
  participants,
}: GroupMetadata): GroupMetadata => ({
  id,
  owner: undefined,
  subject: '',
  ...(addressingMode === undefined ? {} : { addressingMode }),
  ...(ephemeralDuration === undefined ? {} : { ephemeralDuration }),
  participants: participants.map((member) => ({ id: member.id })),
})
