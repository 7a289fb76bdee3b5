// Saves what a session reports, apart from its state: credentials, messages, receipts, people, groups and calls.
import type { Logger } from 'pino'
import { recordCall } from '../chats/calls.ts'
import { recordChatSettings, recordClearedChat, recordStar } from '../chats/chat-reports.ts'
import { recordAllGroups, recordGroups, recordLeftGroup } from '../chats/group-reports.ts'
import { recordChatLabel, recordLabel } from '../chats/label-reports.ts'
import { recordOwnerRead } from '../chats/mark-read.ts'
import { withoutGroups } from '../chats/rules-without-groups.ts'
import { recordPictureChange, refreshOwnPicture } from '../contacts/pictures.ts'
import { recordPresence } from '../contacts/presence.ts'
import { listSubscriptions } from '../contacts/presence-queries.ts'
import { createPresenceReporter } from '../contacts/presence-reporter.ts'
import { pairingCodeUpdate } from '../events/rules-payloads.ts'
import { claimInstance } from '../instances/instance-queries.ts'
import { recordLinkPreviews } from '../instances/instance-settings.ts'
import { createLiveSettings, type LiveSettings } from '../instances/live-settings.ts'
import { claimOwnInstance } from '../instances/owner-queries.ts'
import { unlessRefused } from '../kernel/unless-refused.ts'
import { findOriginals } from '../messages/changes.ts'
import { findSentPayload } from '../messages/payload-queries.ts'
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
import type { Store } from '../store/store.ts'
import type { Vault } from '../store/vault.ts'
import { createArrivalGuard, type GuardDeps } from './arrival-guard.ts'
import type { SessionNow } from './arrival-processor.ts'
import { type OnRefusedWrite, openCredentials } from './credentials.ts'
import { declineCall, isDeclined, writeToCaller } from './decline-call.ts'
import { createIntake } from './intake.ts'
import { createReceiptNews } from './receipt-news.ts'
import { type ReceivedDeps, recordPeople, recordReceipt } from './received.ts'
import { holdCredentials, throughOutage } from './through-outage.ts'

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
