// Reads groups from the network, reports them so that the stored ones stay current, and keeps what sending needs, so that a
// message to a group does not ask the network for it (decision 0086).
import { createHash } from 'node:crypto'
import { type BinaryNode, type GroupMetadata, getBinaryNodeChild, isJidGroup, type WASocket } from 'baileys'
import type { GroupNotice, GroupNoticeKind, NetworkGroup } from '../groups.ts'
import { NetworkError, type NetworkEvent } from '../network.ts'
import type { AuthState } from './auth-state.ts'
import { createGroupNotices, type GroupNotices, ownPerson } from './group-notices.ts'
import { toNetworkGroup } from './groups.ts'
import { createKeptGroups, type KeptGroups } from './kept-groups.ts'
import { toGroupError } from './refusals.ts'

export interface GroupReader {
  /**
   * Reads a group from the network, and reports it if it has changed. Rejects with `not_a_group_member` if the group does not
   * exist or the account is not in it.
   */
  read(jid: string, reporting?: 'always_report'): Promise<GroupMetadata>
  /** Reads all groups of the account, without reporting them. */
  list(): Promise<NetworkGroup[]>
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

type GroupSocket = Pick<WASocket, 'groupMetadata' | 'groupFetchAllParticipating'>

export function createGroupReader(
  socket: () => GroupSocket,
  { creds }: Pick<AuthState, 'creds'>,
  report: (event: NetworkEvent) => Promise<void>,
): GroupReader {
  const kept = createKeptGroups()
  const requests = createRequests()
  const notices = createGroupNotices()
  const reports = createReports(report, notices)
  const convert = (group: GroupMetadata): NetworkGroup => toNetworkGroup(group, creds.me)
  let listings = 0

  async function readNow(jid: string, reporting?: 'always_report'): Promise<GroupMetadata> {
    // A notice that arrives during the request may be about a later change, and is kept for the next report.
    const early = notices.of(jid)
    try {
      const group = await requests.run(
        () => socket().groupMetadata(jid),
        (read, isCurrent) => isCurrent(jid) && kept.keep(read),
      )
      await reports.found([convert(group)], early, reporting)
      return group
    } catch (error) {
      const sorted = toGroupError(error)
      if (sorted instanceof NetworkError && sorted.kind === 'not_a_group_member') await reportLeft(jid)
      throw sorted
    }
  }
  function read(jid: string, reporting?: 'always_report'): Promise<GroupMetadata> {
    return reporting ? readNow(jid, reporting) : requests.share(jid, () => readNow(jid))
  }
  function forget(jid: string): void {
    if (jid === EVERY_GROUP) kept.forgetAll()
    else kept.forget(jid)
    requests.outdate(jid)
  }

  function reportLeft(jid: string): Promise<void> {
    forget(jid)
    return reports.left(jid)
  }

  return {
    read,
    async list() {
      listings += 1
      const groups = await readAll(socket(), requests, kept).finally(() => (listings -= 1))
      return groups.map(convert)
    },
    async reportListed(groups) {
      // The caller of list() gets them from there.
      if (listings === 0) await reports.found(groups.map(convert), [])
    },
    reportJoined: (groups) => reports.joined(groups.map(convert)),
    reportLeft,
    noteOwn: (jid, what, people) => notices.add({ jid, what, people, author: ownPerson(creds.me) }),
    forSending: async (jid) => kept.get(jid) ?? read(jid),
    forget,
    noteStanza(stanza) {
      const jid = outdatedBy(stanza, kept)
      if (jid !== undefined) forget(jid)
      notices.noteStanza(stanza)
    },
  }
}

function readAll(socket: GroupSocket, requests: Requests, kept: KeptGroups): Promise<GroupMetadata[]> {
  return requests.run(
    async () => Object.values(await socket.groupFetchAllParticipating()),
    (groups, isCurrent) => {
      for (const group of groups) if (isCurrent(group.id)) kept.keepIfRoom(group)
    },
  )
}

/** Reports a group only if it is not as it was last reported. */
function createReports(report: (event: NetworkEvent) => Promise<void>, notices: GroupNotices) {
  const digests = new Map<string, string>()

  /** `early`: notices from before the groups were read. They are not kept for another report. */
  async function found(
    groups: NetworkGroup[],
    early: readonly GroupNotice[],
    reporting?: 'always_report',
  ): Promise<void> {
    const news = groups.filter((group) => reporting || digests.get(group.jid) !== digestOf(group))
    const about = news.flatMap(({ jid }) => notices.of(jid))
    if (news.length > 0) await report({ kind: 'groups', groups: news, notices: about })
    for (const group of news) digests.set(group.jid, digestOf(group))
    notices.remove(early)
  }
  return {
    found,
    joined: (groups: NetworkGroup[]): Promise<void> =>
      found(
        groups,
        groups.flatMap(({ jid }) => notices.of(jid)),
      ),
    async left(jid: string): Promise<void> {
      digests.delete(jid)
      const about = [...notices.of(jid)]
      await report({ kind: 'left_group', jid, notices: about })
      notices.remove(about)
    },
  }
}

const EVERY_GROUP = '*'

interface Requests {
  /** Runs a request. `use` gets the answer, and whether it is current: a change during the request may be missing in it. */
  run<T>(ask: () => Promise<T>, use: (answer: T, isCurrent: (jid: string) => boolean) => void): Promise<T>
  /** Joins the running read of the group, if there is one that is still current. */
  share(jid: string, read: () => Promise<GroupMetadata>): Promise<GroupMetadata>
  /** The group has changed: the answers of running requests may be older. */
  outdate(jid: string): void
}

function createRequests(): Requests {
  /** Per running request, the groups that changed since it started. */
  const running = new Set<Set<string>>()
  const reads = new Map<string, Promise<GroupMetadata>>()
  return {
    async run(ask, use) {
      const changed = new Set<string>()
      running.add(changed)
      try {
        const answer = await ask()
        use(answer, (jid) => !changed.has(jid) && !changed.has(EVERY_GROUP))
        return answer
      } finally {
        running.delete(changed)
      }
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
