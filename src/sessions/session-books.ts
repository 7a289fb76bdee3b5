// What a session writes down: its instance's state, its credentials, and everything that it reports.
import type { Logger } from 'pino'
import { type StateEvent, stateAfter } from '../domain/instance-state.ts'
import { forgetLogin } from '../domain/instances.ts'
import {
  recordArrival,
  recordGroups,
  recordLeftGroup,
  recordPeople,
  recordReceipt,
} from '../domain/received.ts'
import type { Credentials, NetworkEvent, NetworkSession, OwnAccount } from '../network/network.ts'
import { claimInstance, updateInstance } from '../store/queries/instances.ts'
import { findSentPayload } from '../store/queries/sent-payloads.ts'
import { listWaitingArrivals } from '../store/queries/session-keys.ts'
import type { Store } from '../store/store.ts'
import type { Vault } from '../store/vault.ts'
import { arrivalOpener, openCredentials } from './credentials.ts'

export interface SessionBooks {
  /** For one connection: from now on those of the connection before write nothing. */
  credentials(): Promise<Credentials>
  findSent(messageId: string): Promise<Uint8Array | undefined>
  move(event: StateEvent): Promise<void>
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
  const arrivals = createArrivalLine(deps, instanceId, log)

  return {
    async credentials() {
      return openCredentials(deps, instanceId, await claimInstance(store.db, instanceId))
    },
    findSent: (messageId) => findSentPayload(store.db, instanceId, messageId),
    async move(event) {
      // The same state twice in a row is no news.
      if (event === last) return
      await updateInstance(store.db, instanceId, { ...stateAfter(event), updated_at: clock() })
      last = event
      log.info({ event }, 'instance state')
    },
    async opened(account) {
      last = 'opened'
      await updateInstance(store.db, instanceId, {
        ...stateAfter('opened'),
        logged_in: 1,
        number: account.number,
        lid: account.lid,
        ...(account.name === null ? {} : { profile_name: account.name }),
        updated_at: clock(),
      })
      log.info({ event: 'opened' }, 'instance state')
      deps.onOpened(instanceId)
    },
    async afterOpening(session) {
      void arrivals.catchUp(session)
      void session
        .listGroups()
        .then((groups) => recordGroups(deps, instanceId, groups, 'all'))
        .catch((error: unknown) => log.warn(`the list of groups did not come: ${String(error)}`))
    },
    loginGone: () => forgetLogin(deps, instanceId, 'The network ended the login.'),
    record: (event, session) =>
      event.kind === 'arrived'
        ? arrivals.takeIn(session, event.name, event.payload)
        : recordFact(deps, instanceId, event),
    settled: arrivals.settled,
    log: (words) => log.warn(words),
  }
}

async function recordFact(deps: BooksDeps, instanceId: number, event: NetworkEvent): Promise<void> {
  switch (event.kind) {
    case 'receipt':
      return recordReceipt(deps, instanceId, event)
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

/** Arrivals become messages one after the other, in the order they came. */
function createArrivalLine(deps: BooksDeps, instanceId: number, log: Logger) {
  let inOrder: Promise<void> = Promise.resolve()
  /** The session that has seen to the arrivals from before it. */
  let caughtUp: NetworkSession | undefined

  async function takeIn(session: NetworkSession, name: string, payload: Uint8Array): Promise<void> {
    try {
      await recordArrival(deps, instanceId, name, await session.interpret(payload))
    } catch (err) {
      log.error({ err }, 'an arrival could not be taken in; it stays for the next connection')
    }
  }
  /** What an earlier life left goes first: the network may hand over new messages before the login is complete. */
  async function catchUp(session: NetworkSession): Promise<void> {
    if (caughtUp === session) return
    const openArrival = await arrivalOpener(deps, instanceId)
    for (const { name, sealed } of await listWaitingArrivals(deps.store.db, instanceId)) {
      await takeIn(session, name, openArrival(name, sealed))
    }
    caughtUp = session
  }
  const queue = (work: () => Promise<void>): Promise<void> =>
    (inOrder = inOrder
      .then(work)
      .catch((err: unknown) =>
        log.error({ err }, 'arrivals cannot be read; they stay for the next connection'),
      ))

  return {
    settled: () => inOrder,
    catchUp: (session: NetworkSession) => queue(() => catchUp(session)),
    takeIn: (session: () => NetworkSession | undefined, name: string, payload: Uint8Array) =>
      queue(async () => {
        const open = session()
        if (!open) return
        await catchUp(open)
        await takeIn(open, name, payload)
      }),
  }
}
