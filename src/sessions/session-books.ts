// What a session writes down: its instance's state, its credentials, and everything that it reports.
import type { Logger } from 'pino'
import { pairingCodeUpdate, qrUpdate } from '../domain/event-payloads.ts'
import { moveInstance, moveWithin } from '../domain/instance-moves.ts'
import type { StateEvent } from '../domain/instance-state.ts'
import { forgetLogin } from '../domain/instances.ts'
import { recordOwnerRead } from '../domain/reading.ts'
import { recordGroups, recordLeftGroup, recordPeople, recordReceipt } from '../domain/received.ts'
import type { Credentials, NetworkEvent, NetworkSession, OwnAccount, QrCode } from '../network/network.ts'
import { claimInstance, findLivingInstance } from '../store/queries/instances.ts'
import { findSentPayload } from '../store/queries/sent-payloads.ts'
import type { Store } from '../store/store.ts'
import type { Vault } from '../store/vault.ts'
import { openCredentials } from './credentials.ts'
import { createIntake } from './intake.ts'

export interface SessionBooks {
  /** For one connection: from now on those of the connection before write nothing. */
  credentials(): Promise<Credentials>
  findSent(messageId: string): Promise<Uint8Array | undefined>
  move(event: StateEvent): Promise<void>
  /** A code to scan, or one to type: each is news, also where the state stays the same. */
  codeShown(qr: QrCode): Promise<void>
  pairingCodeShown(pairingCode: string): Promise<void>
  opened(account: OwnAccount): Promise<void>
  /** What an opened session owes: messages of an earlier life, and the groups as they are now. */
  afterOpening(session: NetworkSession): Promise<void>
  /** The network has ended the login: nothing of it is kept. */
  loginGone(): Promise<void>
  record(event: NetworkEvent, session: () => NetworkSession | undefined): Promise<void>
  /** Resolves when what has come in so far is written. */
  settled(): Promise<void>
  log(words: string): void
}

export interface BooksDeps {
  store: Store
  vault: Vault
  clock: () => number
  logger: Logger
  onOpened: (instanceId: number) => void
}

export function createSessionBooks(deps: BooksDeps, instanceId: number): SessionBooks {
  const { store, clock } = deps
  const log = deps.logger.child({ instanceId })
  let last: StateEvent | undefined
  const intake = createIntake(deps, instanceId, log)

  return {
    async credentials() {
      return openCredentials(deps, instanceId, await claimInstance(store.db, instanceId))
    },
    findSent: (messageId) => findSentPayload(store.db, instanceId, messageId),
    async move(event) {
      // The same state twice in a row is no news.
      if (event === last) return
      await moveInstance(deps, instanceId, event)
      last = event
      log.info({ event }, 'instance state')
      // New chats were held back until now.
      if (event === 'unrestricted') deps.onOpened(instanceId)
    },
    async codeShown(qr) {
      await store.transaction(async (tx) => {
        if (last !== 'code_shown') await moveWithin(deps, tx, instanceId, 'code_shown')
        const instance = await findLivingInstance(tx, instanceId)
        if (instance) await store.appendEvents(tx, [qrUpdate(instance, qr, clock())])
      })
      if (last !== 'code_shown') log.info({ event: 'code_shown' }, 'instance state')
      last = 'code_shown'
    },
    async pairingCodeShown(pairingCode) {
      await store.transaction((tx) =>
        store.appendEvents(tx, [pairingCodeUpdate(instanceId, pairingCode, clock())]),
      )
    },
    async opened(account) {
      last = 'opened'
      await moveInstance(deps, instanceId, 'opened', {
        logged_in: 1,
        number: account.number,
        lid: account.lid,
        ...(account.name === null ? {} : { profile_name: account.name }),
      })
      log.info({ event: 'opened' }, 'instance state')
      deps.onOpened(instanceId)
    },
    async afterOpening(session) {
      void intake.catchUp(session)
      void session
        .listGroups()
        .then((groups) => recordGroups(deps, instanceId, groups, 'all'))
        .catch((error: unknown) => log.warn(`the list of groups did not come: ${String(error)}`))
    },
    loginGone: () => forgetLogin(deps, instanceId, 'The network ended the login.'),
    record: (event, session) =>
      event.kind === 'arrived' ? intake.take(event, session) : recordFact(deps, instanceId, event),
    settled: intake.settled,
    log: (words) => log.warn(words),
  }
}

async function recordFact(deps: BooksDeps, instanceId: number, event: NetworkEvent): Promise<void> {
  switch (event.kind) {
    case 'receipt':
      return recordReceipt(deps, instanceId, event)
    case 'owner_read':
      return recordOwnerRead(deps, instanceId, event)
    case 'people':
      return recordPeople(deps, instanceId, event.people)
    case 'groups':
      return recordGroups(deps, instanceId, event.groups, 'some')
    case 'left_group':
      return recordLeftGroup(deps, instanceId, event.jid)
    default:
      return undefined
  }
}
