// Saves what a session reports, apart from its state: credentials, messages, receipts, people and groups.
import type { Logger } from 'pino'
import { recordOwnerRead } from '../domain/mark-read.ts'
import { recordPictureChange, refreshOwnPicture } from '../domain/pictures.ts'
import {
  type ReceivedDeps,
  recordGroups,
  recordLeftGroup,
  recordPeople,
  recordReceipt,
} from '../domain/received.ts'
import type { Credentials, NetworkEvent, NetworkSession } from '../network/network.ts'
import { pairingCodeUpdate } from '../rules/event-payloads.ts'
import { claimInstance } from '../store/queries/instances.ts'
import { findSentPayload } from '../store/queries/sent-payloads.ts'
import type { Store } from '../store/store.ts'
import type { Vault } from '../store/vault.ts'
import type { SessionNow } from './arrival-processor.ts'
import { openCredentials } from './credentials.ts'
import { createIntake } from './intake.ts'

export interface SessionRecorder {
  /** For a new connection. From now on the credentials of the connection before it reject writes. */
  credentials(): Promise<Credentials>
  findSent(messageId: string): Promise<Uint8Array | undefined>
  /** Appends an event: each pairing code is reported, although the state stays the same. */
  recordPairingCode(pairingCode: string): Promise<void>
  /** Processes messages that waited for a connection, and reads the groups and the own picture. */
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
  onForged?: ReceivedDeps['onForged']
}

export function createSessionRecorder(deps: RecorderDeps, instanceId: number): SessionRecorder {
  const { store, clock } = deps
  const log = deps.logger.child({ instanceId })
  const intake = createIntake(deps, instanceId, log)

  return {
    async credentials() {
      return openCredentials(deps, instanceId, await claimInstance(store.db, instanceId))
    },
    findSent: (messageId) => findSentPayload(store.db, instanceId, messageId),
    async recordPairingCode(pairingCode) {
      await store.transaction((tx) =>
        store.appendEvents(tx, [pairingCodeUpdate(instanceId, pairingCode, clock())]),
      )
    },
    async afterOpening(session, now) {
      void intake.catchUp(now)
      void session
        .listGroups()
        .then((groups) => recordGroups(deps, instanceId, groups, 'all'))
        .catch((error: unknown) =>
          log.warn(`session: could not list groups; the stored ones stay: ${String(error)}`),
        )
      void refreshOwnPicture(deps, instanceId, (own) => session.profilePicture(own)).catch((error: unknown) =>
        log.debug(`session: could not read the own profile picture; retrying later: ${String(error)}`),
      )
    },
    record: (event, session) =>
      event.kind === 'arrived' ? intake.take(event, session) : recordFact(deps, instanceId, event),
    allWritten: intake.allWritten,
    log: (message) => log.warn(message),
  }
}

async function recordFact(deps: RecorderDeps, instanceId: number, event: NetworkEvent): Promise<void> {
  switch (event.kind) {
    case 'receipt':
      return recordReceipt(deps, instanceId, event)
    case 'owner_read':
      return recordOwnerRead(deps, instanceId, event)
    case 'people':
      return recordPeople(deps, instanceId, event.people)
    case 'groups':
      return recordGroups(deps, instanceId, event.groups, 'some')
    case 'picture':
      return recordPictureChange(deps, instanceId, event)
    case 'left_group':
      return recordLeftGroup(deps, instanceId, event.jid)
    default:
      return undefined
  }
}
