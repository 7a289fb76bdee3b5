// Interprets arrivals and records them: one with retries, or several independent ones in one commit.
import type { Logger } from 'pino'
import { findInstanceById } from '../instances/instance-queries.ts'
import { isStoreError } from '../kernel/store-error.ts'
import { RETRY_PAUSES_MS } from '../kernel/unless-refused.ts'
import { groupToRefresh } from '../messages/changes.ts'
import type { ReceivedMessage } from '../network/message.ts'
import {
  type Arrival,
  type Interpretation,
  NetworkError,
  type NetworkErrorKind,
  type NetworkSession,
} from '../network/network.ts'
import type { InstanceGuard } from './arrival-guard.ts'
import {
  type ReadArrival,
  type ReceivedDeps,
  type Receiver,
  recordArrival,
  recordArrivals,
} from './received.ts'
import type { SetAsideReason } from './set-aside.ts'

/** The session that interprets an arrival; undefined if it is closed. */
export type SessionNow = () => NetworkSession | undefined

/** The instance as it is stored, read once per session: its number is saved when a session opens, and then stays. */
export interface Receivers {
  /** Undefined if the instance is deleted. */
  find(session: NetworkSession): Promise<Receiver | undefined>
}

export interface ArrivalProcessor {
  receivers: Receivers
  /** This session is open, and that is saved. */
  noteOpened(session: NetworkSession | undefined): void
  /** `read` is its content, if it was interpreted already. False: the session is closed, and the arrival stays in the store. */
  process(session: SessionNow, arrival: Arrival, known?: KnownArrival): Promise<boolean>
  /** False: nothing was recorded. */
  recordTogether(session: SessionNow, arrivals: ReadArrival[]): Promise<boolean>
}

type KnownArrival = { read?: Interpretation | undefined } & Pick<ReadArrival, 'started'>

interface ProcessorParts {
  deps: ReceivedDeps
  /** What of an arrival is recorded. */
  select(read: Interpretation): Interpretation
  instanceId: number
  log: Logger
  pauseFor: (ms: number) => Promise<unknown>
  guard: InstanceGuard
}

const FINAL: ReadonlySet<NetworkErrorKind> = new Set(['refused', 'stale', 'not_a_group_member'])
/** While the store is unavailable. */
const UNAVAILABLE_PAUSE_MS = 3000

export function createArrivalProcessor({
  deps,
  select,
  instanceId,
  log,
  pauseFor,
  guard,
}: ProcessorParts): ArrivalProcessor {
  const receivers = createReceivers(deps, instanceId)

  async function record(session: NetworkSession, arrival: ReadArrival): Promise<void> {
    for (const message of arrival.read.messages) await refreshGroupInDoubt(deps, instanceId, session, message)
    const receiver = await receivers.find(session)
    if (receiver) await recordArrival(deps, receiver, arrival)
  }

  return {
    receivers,
    noteOpened: receivers.noteOpened,
    /**
     * Retries before the next arrival is processed, so that a temporary failure does not change the order. Gives up after a few
     * tries, so that one bad arrival does not block the others. While the store is unavailable it retries as long as the
     * connection lasts, because the next connection may be days away. What the store refuses for another reason, what cannot be read,
     * or what ended the process, is set aside.
     */
    async process(session, { name, payload }, { read, started = deps.trace?.start() } = {}) {
      for (let tries = 0; ; tries += 1) {
        const open = session()
        if (!open) return false
        try {
          if (guard.isFatal(name)) await guard.setAsideStored(name, payload, 'ended_process')
          else
            await guard.run([name], async () =>
              record(open, { name, started, read: read ?? select(await open.interpret(payload)) }),
            )
          return true
        } catch (err) {
          const pauseMs =
            RETRY_PAUSES_MS[tries] ?? (isStoreError(err, 'unavailable') ? UNAVAILABLE_PAUSE_MS : null)
          const reason = pauseMs === null ? reasonToSetAside(err) : undefined
          if (reason) {
            log.error({ err }, 'intake: an arrival cannot be processed, and is set aside')
            await guard.setAsideStored(name, payload, reason)
            return true
          }
          if (pauseMs === null) {
            log.error({ err }, 'intake: could not process an arrival; retrying at the next connection')
            return true
          }
          await pauseFor(pauseMs)
        }
      }
    },
    async recordTogether(session, arrivals) {
      const open = session()
      if (!open) return false
      try {
        const receiver = await receivers.find(open)
        const names = arrivals.map(({ name }) => name)
        if (receiver) await guard.run(names, () => recordArrivals(deps, receiver, arrivals))
        return true
      } catch {
        return false
      }
    },
  }
}

/** Undefined: it may succeed later. An error of the code that reads an arrival would occur at every connection. */
function reasonToSetAside(error: unknown): SetAsideReason | undefined {
  if (isStoreError(error, 'refused')) return 'refused_by_store'
  return error instanceof TypeError || error instanceof RangeError ? 'malformed' : undefined
}

/** Refreshes the group of a delete if needed: its sender may be an admin whose promotion is not stored yet. */
async function refreshGroupInDoubt(
  { store, clock }: ReceivedDeps,
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

function createReceivers(
  { store }: Pick<ReceivedDeps, 'store'>,
  instanceId: number,
): Receivers & Pick<ArrivalProcessor, 'noteOpened'> {
  let opened: NetworkSession | undefined
  let known: Receiver | undefined
  return {
    noteOpened(session) {
      opened = session
      known = undefined
    },
    async find(session) {
      if (known && session === opened) return known
      const found = await findInstanceById(store.db, instanceId)
      if (session === opened) known = found
      return found
    },
  }
}
