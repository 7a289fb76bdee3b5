// Arrivals become messages one after the other, in the order they came, those of an earlier life first.
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { recordArrival } from '../domain/received.ts'
import type { Arrival, NetworkSession } from '../network/network.ts'
import { listWaitingArrivals } from '../store/queries/session-keys.ts'
import { arrivalOpener, type CredentialsDeps } from './credentials.ts'

export interface Intake {
  /** Sees to what waits from before this session. */
  catchUp(session: NetworkSession): Promise<void>
  /** `session` gives the one that can make sense of it, where there still is one. */
  take(arrival: Arrival, session: () => NetworkSession | undefined): Promise<void>
  /** Resolves when what has come in so far is written. */
  settled(): Promise<void>
}

const RETRY_PAUSES_MS = [100, 1000]

export function createIntake(deps: CredentialsDeps, instanceId: number, log: Logger): Intake {
  let inOrder: Promise<void> = Promise.resolve()
  /** The session that has seen to the arrivals from before it. */
  let caughtUp: NetworkSession | undefined

  function queue(work: () => Promise<void>): Promise<void> {
    inOrder = inOrder
      .then(work)
      .catch((err: unknown) =>
        log.error({ err }, 'arrivals cannot be read; they stay for the next connection'),
      )
    return inOrder
  }
  /** A few tries, while those behind it wait: trouble that passes must not change the order, and what never works must not stop it. */
  async function takeIn(session: NetworkSession, { name, payload }: Arrival): Promise<void> {
    for (const pauseMs of [...RETRY_PAUSES_MS, null]) {
      try {
        await recordArrival(deps, instanceId, name, await session.interpret(payload))
        return
      } catch (err) {
        if (pauseMs === null)
          log.error({ err }, 'an arrival could not be taken in; it stays for the next connection')
        else await pause(pauseMs)
      }
    }
  }
  /** The network may hand over new messages before the login is complete: what an earlier life left goes first. */
  async function takeInWaiting(session: NetworkSession): Promise<void> {
    if (caughtUp === session) return
    const openArrival = await arrivalOpener(deps, instanceId)
    for (const { name, sealed } of await listWaitingArrivals(deps.store.db, instanceId)) {
      await takeIn(session, { name, payload: openArrival(name, sealed) })
    }
    caughtUp = session
  }

  return {
    catchUp: (session) => queue(() => takeInWaiting(session)),
    take: (arrival, session) =>
      queue(async () => {
        const open = session()
        // Its connection is gone: it waits in the store, and the next look there must find it.
        if (!open) caughtUp = undefined
        else {
          await takeInWaiting(open)
          await takeIn(open, arrival)
        }
      }),
    settled: () => inOrder,
  }
}
