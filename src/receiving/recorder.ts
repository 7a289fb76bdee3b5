// Saves what a session reports, apart from its state: credentials, messages, receipts, people, groups and calls.
import type { Logger } from 'pino'
import { recordCall } from '../chats/calls.ts'
import { recordChatSettings, recordClearedChat, recordStar } from '../chats/chat-reports.ts'
import { recordAllGroups, recordGroups, recordLeftGroup } from '../chats/group-reports.ts'
import { recordChatLabel, recordLabel } from '../chats/label-reports.ts'
import { recordOwnerRead } from '../chats/mark-read.ts'
import { withoutGroups } from '../chats/rules.ts'
import { recordPictureChange, refreshOwnPicture } from '../contacts/pictures.ts'
import { createPresenceReporter, recordPresence } from '../contacts/presence.ts'
import { listSubscriptions } from '../contacts/presence-queries.ts'
import type { Deps } from '../context.ts'
import { pairingCodeUpdate } from '../events/rules-payloads.ts'
import { claimInstance, findInstanceById } from '../instances/instance-queries.ts'
import { findTextKey, recordLinkPreviews } from '../instances/instance-settings.ts'
import { createLiveSettings, type LiveSettings } from '../instances/live-settings.ts'
import { claimOwnInstance } from '../instances/owner-queries.ts'
import type { InstanceSettings } from '../instances/rules.ts'
import { createBoundedMap } from '../kernel/async/bounded-map.ts'
import { realTimers, type Timers } from '../kernel/async/timers.ts'
import { isStoreError } from '../kernel/store-error.ts'
import { unlessRefused } from '../kernel/unless-refused.ts'
import { findOriginals } from '../messages/changes.ts'
import { findSentPayload } from '../messages/message-queries.ts'
import { isForward } from '../messages/rules-status.ts'
import type { NetworkCall } from '../network/calls.ts'
import type { StoredOriginal } from '../network/message.ts'
import {
  type ArrivalGuard,
  type Credentials,
  type Interpretation,
  NetworkError,
  type NetworkEvent,
  type NetworkSession,
  type SessionOptions,
} from '../network/network.ts'
import { sendAutomatically } from '../sending/automatic.ts'
import type { Store } from '../store/store.ts'
import type { Vault } from '../store/vault.ts'
import { createArrivalGuard, type GuardDeps } from './arrival-guard.ts'
import type { SessionNow } from './arrival-processor.ts'
import { type OnRefusedWrite, openCredentials } from './credentials.ts'
import { createIntake } from './intake.ts'
import { type ReceivedDeps, recordPeople, recordReceipt } from './received.ts'

export interface SessionRecorder {
  /** For a new connection. From now on the credentials of the connection before it reject writes. */
  credentials(): Promise<Credentials>
  /** Absent: every message is handled. */
  guard?: ArrivalGuard | undefined
  /** The settings as they are stored now, for a new connection. */
  sessionOptions(): Promise<SessionOptions>
  findSent(messageId: string): Promise<Uint8Array | undefined>
  findOriginals(messageId: string): Promise<StoredOriginal[]>
  /** Appends an event: each pairing code is reported, although the state stays the same. */
  recordPairingCode(pairingCode: string): Promise<void>
  /** Processes messages that waited for a connection, follows presence again, and reads the groups and the picture of the account. */
  afterOpening(session: NetworkSession, now: SessionNow): Promise<void>
  record(event: NetworkEvent, session: SessionNow): Promise<void>
  /** Resolves when everything received so far is saved. */
  allWritten(): Promise<void>
  log(message: string): void
}

export interface RecorderDeps {
  store: Store
  vault: Vault
  clock: () => number
  logger: Logger
  onEvidence: NonNullable<ReceivedDeps['onEvidence']>
  /** Makes the send worker look for queued messages. */
  wakeSending: () => void
  onForged?: ReceivedDeps['onForged']
  onReceived?: ReceivedDeps['onReceived']
  onSetAside?: GuardDeps['onSetAside']
  crashWatch?: GuardDeps['crashWatch']
  settledLids?: ReceivedDeps['settledLids']
  trace?: ReceivedDeps['trace']
  /** This node, if several may use the database. */
  nodeId?: number | undefined
  /** Another node serves the instance. */
  onLost?: (instanceId: number) => void
  onRefusedWrite?: OnRefusedWrite | undefined
}

export function createSessionRecorder(
  deps: RecorderDeps,
  instanceId: number,
  settings: LiveSettings = createLiveSettings(deps, instanceId),
): SessionRecorder {
  const { store, clock } = deps
  const log = deps.logger.child({ instanceId })
  const select = (read: Interpretation) => (settings.current().ignoreGroups ? withoutGroups(read) : read)
  const guard = createArrivalGuard(deps, instanceId, log)
  const intake = createIntake({ ...deps, select }, instanceId, log, undefined, guard)
  const presence = createPresenceReporter(
    (change) => recordPresence(deps, instanceId, change),
    (err) => log.debug({ err }, 'session: presence not recorded; the next one counts'),
  )
  const recordOrDecline = createCallRecorder(deps, instanceId, settings, log)
  const receipts = createReceiptNews((receipt) => recordReceipt(deps, instanceId, receipt))

  return {
    guard,
    async credentials() {
      const { nodeId } = deps
      await guard.refresh()
      const fence = await (nodeId === undefined
        ? claimInstance(store.db, instanceId)
        : claimOwnInstance(store.db, nodeId, instanceId))
      if (fence !== undefined)
        return holdCredentials(await openCredentials(deps, instanceId, fence, guard, intake.earlyReader()))
      deps.onRefusedWrite?.('claim')
      deps.onLost?.(instanceId)
      throw new NetworkError('no_longer_owner', 'another node serves this instance')
    },
    sessionOptions: settings.read,
    findSent: (messageId) => findSentPayload(store.db, instanceId, messageId),
    findOriginals: (messageId) => findOriginals(store.db, instanceId, messageId),
    async recordPairingCode(pairingCode) {
      await store.instanceTransaction(instanceId, (tx) =>
        store.appendEvents(tx, [pairingCodeUpdate(instanceId, pairingCode, clock())]),
      )
    },
    async afterOpening(session, now) {
      void intake.catchUp(now)
      readWhatChanged(deps, instanceId, session, log)
    },
    async record(event, session) {
      if (event.kind === 'arrived') return intake.take(event, session)
      if (event.kind === 'presence') return presence.report(event)
      // Frames to the network wait for this, so it must end.
      return unlessRefused(
        async () =>
          event.kind === 'call'
            ? recordOrDecline(event, session)
            : throughOutage(() =>
                event.kind === 'receipt' ? receipts.record(event) : recordFact(deps, instanceId, event),
              ),
        () => guard.setAsideNotice(event),
      )
    },
    allWritten: intake.allWritten,
    log: (message) => log.warn(message),
  }
}

/** What may have changed while there was no connection. Does not wait for it. */
function readWhatChanged(deps: RecorderDeps, instanceId: number, session: NetworkSession, log: Logger): void {
  void session
    .reportGroups()
    .catch((error: unknown) =>
      log.warn(`session: could not list groups; the stored ones stay: ${String(error)}`),
    )
  void followAgain(deps, instanceId, session).catch((error: unknown) =>
    log.warn(
      `session: could not follow presence; it is followed after the next connection: ${String(error)}`,
    ),
  )
  void refreshOwnPicture(deps, instanceId, (own) => session.profilePicture(own)).catch((error: unknown) =>
    log.debug(`session: could not read the profile picture of the account; retrying later: ${String(error)}`),
  )
}

/** Records a call, and rejects it if the instance takes none. */
const createCallRecorder =
  (deps: RecorderDeps, instanceId: number, settings: LiveSettings, log: Logger) =>
  async (call: NetworkCall, session: SessionNow): Promise<void> => {
    await throughOutage(() => recordCall(deps, instanceId, call))
    if (!(await isDeclined(deps, instanceId, settings.current(), call))) return
    await writeToCaller(deps, instanceId, settings.current(), call)
    const open = session()
    // Not awaited: frames to the network wait until the report of the call is stored, and the rejection is one of them.
    if (open)
      void declineCall(deps, instanceId, open, call).catch((error: unknown) =>
        log.warn(`session: could not reject a call: ${String(error)}`),
      )
  }

/** The network forgets subscriptions when a connection ends. */
async function followAgain(
  { store }: Pick<RecorderDeps, 'store'>,
  instanceId: number,
  session: NetworkSession,
): Promise<void> {
  const followed = await listSubscriptions(store.db, instanceId)
  if (followed.length > 0) await session.followPresence(followed.map(({ jid }) => jid))
}

async function recordFact(deps: RecorderDeps, instanceId: number, event: NetworkEvent): Promise<void> {
  switch (event.kind) {
    case 'owner_read':
      return recordOwnerRead(deps, instanceId, event)
    case 'people':
      return recordPeople(deps, instanceId, event.people)
    case 'groups':
      return recordGroups(deps, instanceId, event)
    case 'all_groups':
      return recordAllGroups(deps, instanceId, event)
    case 'picture':
      return recordPictureChange(deps, instanceId, event)
    case 'left_group':
      return recordLeftGroup(deps, instanceId, event)
    case 'chat_settings':
      return recordChatSettings(deps, instanceId, event)
    case 'chat_cleared':
      return recordClearedChat(deps, instanceId, event)
    case 'label':
      return recordLabel(deps, instanceId, event)
    case 'chat_label':
      return recordChatLabel(deps, instanceId, event)
    case 'starred':
      return recordStar(deps, instanceId, event)
    case 'link_previews':
      return recordLinkPreviews(deps, instanceId, event.isOn)
    default:
      return undefined
  }
}

// Carries the writes of a session through a short outage of the database, for example its restart. Frames wait for these writes, so
// that the connection to the network stays open meanwhile.

/** Below the shortest time for which a lease is held without a renewal, and far below the limit of the network for silence. */
const HOLD_MS = 6000
const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 500

interface OutageTimes {
  /** Milliseconds that only grow. */
  now?: () => number
  timers?: Pick<Timers, 'setTimeout'>
}

/**
 * Repeats the work while the store is unavailable. The work must be repeatable: a commit whose answer was lost has taken effect. The
 * network also repeats everything that a broken connection has not acknowledged, so that this holds for all that it reports.
 */
export async function throughOutage<T>(
  work: () => Promise<T>,
  { now = () => performance.now(), timers = realTimers }: OutageTimes = {},
): Promise<T> {
  const giveUpAt = now() + HOLD_MS
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      return await work()
    } catch (error) {
      if (!isStoreError(error, 'unavailable') || now() >= giveUpAt) throw error
    }
    await new Promise<void>((resolve) => void timers.setTimeout(resolve, pauseMs))
  }
}

/** A key has one value at a time, an arrival is stored under its name, and the fencing token is checked at every try. */
const holdCredentials = (credentials: Credentials): Credentials => ({
  read: (kind, names) => throughOutage(() => credentials.read(kind, names)),
  findArrival: (name) => throughOutage(() => credentials.findArrival(name)),
  write: (keys, arrivals) => throughOutage(() => credentials.write(keys, arrivals)),
})

// Rejects a call for an instance that takes none, and writes to the caller.

type DeclineDeps = Pick<Deps, 'store' | 'clock' | 'wakeSending' | 'trace'>

/** Whether the call is an offer of another person. The network also reports calls that the owner makes. */
async function isDeclined(
  { store }: Pick<Deps, 'store'>,
  instanceId: number,
  { rejectCalls }: Pick<InstanceSettings, 'rejectCalls'>,
  { status, from }: NetworkCall,
): Promise<boolean> {
  if (!rejectCalls || status !== 'offer') return false
  const instance = await findInstanceById(store.db, instanceId)
  return instance !== undefined && instance.number !== from.phone
}

/** Once per call, also if the network repeats the offer after a crash. The caller of a group call gets no text. */
export async function writeToCaller(
  deps: DeclineDeps,
  instanceId: number,
  { rejectCallsText: text }: Pick<InstanceSettings, 'rejectCallsText'>,
  { id, from, isGroup }: NetworkCall,
): Promise<void> {
  if (text === null || isGroup === true) return
  const to = from.phone === null ? { chat: from.jid } : { number: from.phone }
  const keyId = await findTextKey(deps, instanceId)
  await sendAutomatically(deps, instanceId, { to, text, key: `call\n${instanceId}\n${id}`, keyId })
}

/** The call may be over by now: the network then refuses, and the stored status stays. */
async function declineCall(
  deps: Pick<Deps, 'store' | 'clock'>,
  instanceId: number,
  session: Pick<NetworkSession, 'rejectCall'>,
  call: NetworkCall,
): Promise<void> {
  await session.rejectCall(call.id, call.creator)
  await recordCall(deps, instanceId, { ...call, status: 'rejected', atMs: deps.clock() })
}

// Leaves out receipts that can change nothing. Every member of a group sends one for each message, and only the first moves its status.

type Receipt = Extract<NetworkEvent, { kind: 'receipt' }>
type Status = Receipt['status']

/** Messages of an instance whose status is known here. Receipts of a message arrive close to each other. */
const MESSAGES_KEPT = 500

interface ReceiptNews {
  /**
   * Resolves when the receipt is stored, or when what is stored already makes it old: its acknowledgement, which waits for this, never
   * leaves before the commit that it relies on.
   */
  record(receipt: Receipt): Promise<void>
}

/** `store` resolves with the messages whose status it has moved, after the commit. */
export function createReceiptNews(store: (receipt: Receipt) => Promise<readonly string[]>): ReceiptNews {
  /** The status of messages that a receipt has moved. A status never goes backwards, so that it is at least this one. */
  const reached = createBoundedMap<string, Status>(MESSAGES_KEPT)
  const underWay = new Map<string, { status: Status; stored: Promise<unknown> }>()

  const isNews = (messageId: string, status: Status): boolean => {
    const known = reached.get(messageId)
    return known === undefined || isForward(known, status)
  }
  /** Another one, of the same message and as far, is being stored. It may be refused, and then this one counts. */
  const earlierOnes = ({ messageIds, status }: Receipt): Promise<unknown>[] =>
    messageIds.flatMap((messageId) => {
      const other = underWay.get(messageId)
      return other && !isForward(other.status, status) ? [other.stored] : []
    })

  async function storeNews(receipt: Receipt): Promise<void> {
    const storing = store(receipt)
    const entry = { status: receipt.status, stored: storing.catch(() => undefined) }
    for (const messageId of receipt.messageIds) underWay.set(messageId, entry)
    try {
      for (const messageId of await storing)
        if (isNews(messageId, receipt.status)) reached.set(messageId, receipt.status)
    } finally {
      for (const messageId of receipt.messageIds)
        if (underWay.get(messageId) === entry) underWay.delete(messageId)
    }
  }

  return {
    async record(receipt) {
      const others = earlierOnes(receipt)
      if (others.length > 0) await Promise.all(others)
      const messageIds = receipt.messageIds.filter((messageId) => isNews(messageId, receipt.status))
      if (messageIds.length > 0) await storeNews({ ...receipt, messageIds })
    },
  }
}
