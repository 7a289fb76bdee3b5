// Reads groups from the network, reports them so that the stored ones stay current, and keeps what sending needs, so that a
// message to a group does not ask the network for it (decision 0086).
import { createHash } from 'node:crypto'
import { createBoundedMap } from '../../kernel/async/bounded-map.ts'
import { createMutex } from '../../kernel/async/locks.ts'
import type { GroupNotice, GroupNoticeKind, NetworkGroup } from '../../network/groups.ts'
import { NetworkError, type NetworkEvent } from '../../network/network.ts'
import type { LibrarySocket } from '../library/library-socket.ts'
import {
  type BinaryNode,
  type GroupMetadata,
  getBinaryNodeChild,
  isJidGroup,
  jidNormalizedUser,
} from '../library/protocol.ts'
import { withTimeout } from '../library/with-timeout.ts'
import { toGroupError } from '../sending/refusals.ts'
import { toNetworkGroup } from './conversions.ts'
import { createGroupNotices, type GroupNotices, ownPerson } from './group-notices.ts'

export interface GroupReader {
  /**
   * Reads a group from the network, and reports it if it has changed. Rejects with `not_a_group_member` if the group does not
   * exist or the account is not in it.
   */
  read(jid: string, reporting?: 'always_report'): Promise<GroupMetadata>
  /** Reads all groups of the account, and reports them. */
  reportAll(): Promise<void>
  /** Reports groups that the library has read without a call from here. */
  reportListed(groups: GroupMetadata[]): Promise<void>
  /** Reports groups that the account has created or joined. */
  reportJoined(groups: GroupMetadata[]): Promise<void>
  /** Reports that the account has left the group. */
  reportLeft(jid: string): Promise<void>
  /** This account has made a change, which the next report of the group contains. */
  noteOwn(jid: string, what: GroupNoticeKind, people: string[]): void
  /** The group as it was kept, with the fields that sending needs; read if it is not kept. */
  forSending(jid: string): Promise<GroupMetadata>
  /** The kept group may be outdated: the next message reads it again. */
  forget(jid: string): void
  /** Must be called with each stanza before the library handles it: some announce a change, others contradict what is kept. */
  noteStanza(stanza: BinaryNode): void
}

export interface Reporting {
  report(event: NetworkEvent): Promise<void>
  /** Frames to the network wait for the write. */
  hold(written: Promise<void>): void
}

type GroupSocket = Pick<LibrarySocket, 'me' | 'groupMetadata' | 'groupFetchAllParticipating'>

export function createGroupReader(socket: () => GroupSocket, reporting: Reporting): GroupReader {
  const notices = createGroupNotices()
  const parts: Parts = {
    socket,
    kept: createKeptGroups(),
    requests: createGroupRequests(),
    notices,
    reports: createReports(reporting, notices),
    convert: (group) => toNetworkGroup(group, socket().me),
  }
  const { kept, requests, reports, convert } = parts
  const forget = (jid: string) => outdate(parts, jid)
  let listings = 0

  const read: GroupReader['read'] = (jid, always) =>
    always ? readGroup(parts, jid, always) : requests.share(jid, () => readGroup(parts, jid))

  return {
    read,
    async reportAll() {
      listings += 1
      const changed = await listGroups(parts).finally(() => (listings -= 1))
      // Not every change leads to a notice that reads the group.
      for (const jid of changed) void read(jid).catch(() => undefined)
    },
    async reportListed(groups) {
      // Otherwise the list was requested by reportAll(), which reports it.
      if (listings === 0) await reports.found(groups.map(convert), [])
    },
    reportJoined: (groups) => reports.joined(groups.map(convert)),
    reportLeft: (jid) => reportLeft(parts, jid),
    noteOwn: (jid, what, people) => notices.add({ jid, what, people, author: ownPerson(socket().me) }),
    forSending: async (jid) => kept.get(jid) ?? read(jid),
    forget,
    noteStanza(stanza) {
      const jid = outdatedBy(stanza, kept)
      if (jid !== undefined) forget(jid)
      notices.noteStanza(stanza)
    },
  }
}

interface Parts {
  socket(): GroupSocket
  kept: KeptGroups
  requests: GroupRequests
  notices: GroupNotices
  reports: ReturnType<typeof createReports>
  convert(group: GroupMetadata): NetworkGroup
}

/** Reads and reports one group. */
async function readGroup(parts: Parts, jid: string, always?: 'always_report'): Promise<GroupMetadata> {
  const { socket, kept, requests, notices, reports, convert } = parts
  // A notice that arrives during the request may be about a later change, and is kept for the next report.
  const early = notices.of(jid)
  try {
    const group = await requests.run(
      () => socket().groupMetadata(jid),
      (answer, changed) => (isOutdated(jid, changed) ? answer : kept.keep(answer)),
    )
    await reports.found([convert(group)], early, always)
    return group
  } catch (error) {
    const sorted = toGroupError(error)
    if (sorted instanceof NetworkError && sorted.kind === 'not_a_group_member') await reportLeft(parts, jid)
    throw sorted
  }
}

/** Reads and reports all groups. Resolves with those that changed meanwhile, which are not part of the report. */
async function listGroups(parts: Parts): Promise<string[]> {
  const { socket, kept, requests, reports, convert } = parts
  const listed = await requests.run(
    () => withTimeout(socket().groupFetchAllParticipating(), LIST_MS, 'the list of groups'),
    async (answer, changed) => {
      if (changed.has(EVERY_GROUP)) return undefined
      const groups = Object.values(answer).filter(({ id }) => !changed.has(id))
      for (const group of groups) kept.keepIfRoom(group)
      await reports.all(groups.map(convert), [...changed])
      return [...changed]
    },
  )
  return listed ?? listGroups(parts)
}

function reportLeft(parts: Parts, jid: string): Promise<void> {
  outdate(parts, jid)
  return parts.reports.left(jid)
}

function outdate({ kept, requests }: Parts, jid: string): void {
  if (jid === EVERY_GROUP) kept.forgetAll()
  else kept.forget(jid)
  requests.outdate(jid)
}

/**
 * One report at a time, in the order in which the groups were read: an older state must not be stored after a newer one.
 * A single group is reported only if it is not as it was last reported.
 */
function createReports({ report, hold }: Reporting, notices: GroupNotices) {
  const mutex = createMutex()
  const digests = new Map<string, string>()
  function serialized(work: () => Promise<void>): Promise<void> {
    const written = mutex.runExclusive(work)
    hold(written)
    return written
  }
  const noteReported = (groups: NetworkGroup[]) => {
    for (const group of groups) digests.set(group.jid, digestOf(group))
  }

  /** `early`: notices from before the groups were read. They are not kept for another report. */
  const found = (
    groups: NetworkGroup[],
    early: readonly GroupNotice[],
    reporting?: 'always_report',
  ): Promise<void> =>
    serialized(async () => {
      const news = groups.filter((group) => reporting || digests.get(group.jid) !== digestOf(group))
      const about = news.flatMap(({ jid }) => notices.of(jid))
      if (news.length > 0) await report({ kind: 'groups', groups: news, notices: about })
      noteReported(news)
      notices.remove(early)
    })
  return {
    found,
    joined: (groups: NetworkGroup[]): Promise<void> =>
      found(
        groups,
        groups.flatMap(({ jid }) => notices.of(jid)),
      ),
    all: (groups: NetworkGroup[], uncertain: string[]): Promise<void> =>
      serialized(async () => {
        await report({ kind: 'all_groups', groups, uncertain })
        for (const jid of digests.keys()) if (!uncertain.includes(jid)) digests.delete(jid)
        noteReported(groups)
      }),
    left: (jid: string): Promise<void> =>
      serialized(async () => {
        digests.delete(jid)
        const about = [...notices.of(jid)]
        await report({ kind: 'left_group', jid, notices: about })
        notices.remove(about)
      }),
  }
}

const LIST_MS = 15_000

/** The group that is not kept any longer after this stanza. */
function outdatedBy(stanza: BinaryNode, kept: KeptGroups): string | undefined {
  if (isDirtyNotice(stanza)) return EVERY_GROUP
  const { from = '' } = stanza.attrs
  return isJidGroup(from) && (isChange(stanza) || contradicts(stanza, kept)) ? from : undefined
}

/** The network asks the client to read all its groups again. */
const isDirtyNotice = (stanza: BinaryNode): boolean =>
  stanza.tag === 'ib' && getBinaryNodeChild(stanza, 'dirty')?.attrs.type === 'groups'

/**
 * Any notice of the group. An acknowledgement with an error, or with a hash of the participants: the message
 * was encrypted for other devices than the network expects.
 */
function isChange({ tag, attrs }: BinaryNode): boolean {
  if (tag === 'notification') return attrs.type === 'w:gp2'
  return tag === 'ack' && (attrs.error !== undefined || attrs.phash !== undefined)
}

/** A message or a retry request of a person who is not in the kept group, or in the other form of addressing. */
function contradicts({ tag, attrs }: BinaryNode, kept: KeptGroups): boolean {
  if (tag !== 'message' && !(tag === 'receipt' && attrs.type === 'retry')) return false
  const { from = '', participant, addressing_mode: addressing } = attrs
  return kept.isContradicted(from, { participant, addressing })
}

const digestOf = (group: NetworkGroup): string =>
  createHash('sha1').update(JSON.stringify(group)).digest('base64')

// The running requests for groups. A group can change while a request for it is under way.

/** Stands for all groups. */
const EVERY_GROUP = '*'

interface GroupRequests {
  /** Runs a request. `use` gets the answer, and the groups that changed during the request: the change may be missing in it. */
  run<T, R>(
    ask: () => Promise<T>,
    use: (answer: T, changed: ReadonlySet<string>) => R | Promise<R>,
  ): Promise<R>
  /** Joins the running read of the group, if there is one that is still current. */
  share(jid: string, read: () => Promise<GroupMetadata>): Promise<GroupMetadata>
  /** The group has changed: the answers of running requests may be older. */
  outdate(jid: string): void
}

const isOutdated = (jid: string, changed: ReadonlySet<string>): boolean =>
  changed.has(jid) || changed.has(EVERY_GROUP)

function createGroupRequests(): GroupRequests {
  /** Per running request, the groups that changed since it started. */
  const running = new Set<Set<string>>()
  const reads = new Map<string, Promise<GroupMetadata>>()
  return {
    async run(ask, use) {
      const changed = new Set<string>()
      running.add(changed)
      const answer = await ask().finally(() => running.delete(changed))
      return use(answer, changed)
    },
    share(jid, read) {
      const known = reads.get(jid)
      if (known) return known
      const started = read().finally(() => {
        if (reads.get(jid) === started) reads.delete(jid)
      })
      reads.set(jid, started)
      return started
    },
    outdate(jid) {
      if (jid === EVERY_GROUP) reads.clear()
      else reads.delete(jid)
      for (const changed of running) changed.add(jid)
    },
  }
}

// The groups that a session has read, with what sending needs: members, addressing and disappearing messages.

/** Members of all kept groups together: about half a megabyte per session. */
const MAX_MEMBERS = 5000

/** What a stanza says about a group: who takes part in it, and how the network addresses its members. */
interface GroupEvidence {
  participant: string | undefined
  addressing: string | undefined
}

interface KeptGroups {
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
