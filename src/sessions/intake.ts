// Turns arrivals into messages, in the order of arrival. Arrivals that an earlier connection left are processed first.
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { groupToRefresh } from '../domain/changes.ts'
import { type ReceivedDeps, recordArrival } from '../domain/received.ts'
import type { ReceivedMessage } from '../network/message.ts'
import { type Arrival, NetworkError, type NetworkErrorKind, type NetworkSession } from '../network/network.ts'
import { listWaitingArrivals } from '../store/queries/session-keys.ts'
import { isStoreError } from '../store/store-error.ts'
import { arrivalOpener, type CredentialsDeps } from './credentials.ts'

/** The session that interprets an arrival; undefined if it is closed. */
export type SessionNow = () => NetworkSession | undefined

export interface Intake {
  /** Processes the arrivals that waited for a connection. */
  catchUp(session: SessionNow): Promise<void>
  take(arrival: Arrival, session: SessionNow): Promise<void>
  /** Resolves when all arrivals so far are processed. */
  allWritten(): Promise<void>
}

const RETRY_PAUSES_MS = [100, 1000]
const FINAL: ReadonlySet<NetworkErrorKind> = new Set(['refused', 'stale', 'not_a_group_member'])
/** While the store is unavailable. */
const UNAVAILABLE_PAUSE_MS = 3000

/** Refreshes the group of a delete if needed: its sender may be an admin whose promotion is not stored yet. */
async function refreshGroupInDoubt(
  { store, clock }: CredentialsDeps & ReceivedDeps,
  instanceId: number,
  session: NetworkSession,
  message: ReceivedMessage,
): Promise<void> {
  const group = await groupToRefresh(store.db, instanceId, message, clock())
  if (group === undefined) return
  await session.refreshGroup(group).catch((error: unknown) => {
    // A final refusal means that the account is not in the group: no admin's delete applies. Other errors are retried.
    if (!(error instanceof NetworkError) || !FINAL.has(error.kind)) throw error
  })
}

export function createIntake(
  deps: CredentialsDeps & ReceivedDeps,
  instanceId: number,
  log: Logger,
  pauseFor: (ms: number) => Promise<unknown> = pause,
): Intake {
  let inOrder: Promise<void> = Promise.resolve()
  /** The session that has processed the waiting arrivals. */
  let caughtUp: NetworkSession | undefined

  function queue(work: () => Promise<void>): Promise<void> {
    inOrder = inOrder
      .then(work)
      .catch((err: unknown) =>
        log.error({ err }, 'intake: could not read waiting arrivals; retrying at the next connection'),
      )
    return inOrder
  }
  /**
   * Retries before the next arrival is processed, so that a temporary failure does not change the order. Gives up after a few
   * tries, so that one bad arrival does not block the others. While the store is unavailable it retries as long as the connection
   * lasts, because the next connection may be days away.
   */
  async function processArrival(session: SessionNow, { name, payload }: Arrival): Promise<void> {
    for (let tries = 0; ; tries += 1) {
      const open = session()
      if (!open) return postpone()
      try {
        const read = await open.interpret(payload)
        for (const message of read.messages) await refreshGroupInDoubt(deps, instanceId, open, message)
        await recordArrival(deps, instanceId, name, read)
        return
      } catch (err) {
        const pauseMs =
          RETRY_PAUSES_MS[tries] ?? (isStoreError(err, 'unavailable') ? UNAVAILABLE_PAUSE_MS : null)
        if (pauseMs === null) {
          log.error({ err }, 'intake: could not process an arrival; retrying at the next connection')
          return
        }
        await pauseFor(pauseMs)
      }
    }
  }
  /** The connection is closed: arrivals stay in the store, and the next session must process them. */
  function postpone(): void {
    caughtUp = undefined
  }
  /** Called before each new arrival too: the network may deliver messages before the session is open. */
  async function processWaiting(session: SessionNow): Promise<void> {
    const open = session()
    if (!open) return postpone()
    if (caughtUp === open) return
    const openArrival = await arrivalOpener(deps, instanceId)
    for (const { name, sealed } of await listWaitingArrivals(deps.store.db, instanceId)) {
      await processArrival(session, { name, payload: openArrival(name, sealed) })
    }
    if (session() === open) caughtUp = open
  }

  return {
    catchUp: (session) => queue(() => processWaiting(session)),
    take: (arrival, session) =>
      queue(async () => {
        await processWaiting(session)
        await processArrival(session, arrival)
      }),
    allWritten: () => inOrder,
  }
}
