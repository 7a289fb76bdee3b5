// The groups that a session has read, as far as sending needs them: members, addressing and disappearing messages.
import { type GroupMetadata, jidNormalizedUser } from 'baileys'

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
  const entries = new Map<string, Kept>()
  let count = 0

  function forget(jid: string): void {
    count -= entries.get(jid)?.members.size ?? 0
    entries.delete(jid)
  }
  function add(group: GroupMetadata): void {
    const members = new Set(group.participants.map(({ id }) => jidNormalizedUser(id)))
    forget(group.id)
    entries.set(group.id, { group: neededToSend(group), members })
    count += members.size
  }

  return {
    get(jid) {
      const entry = entries.get(jid)
      if (!entry) return undefined
      entries.delete(jid)
      entries.set(jid, entry)
      return entry.group
    },
    keep(group) {
      add(group)
      // The group that was just read is kept, however large it is.
      while (count > maxMembers && entries.size > 1) forget(entries.keys().next().value as string)
      return group
    },
    keepIfRoom(group) {
      if (entries.has(group.id) || count + group.participants.length <= maxMembers) add(group)
    },
    forget,
    forgetAll() {
      entries.clear()
      count = 0
    },
    isContradicted(jid, { participant, addressing }) {
      const entry = entries.get(jid)
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
