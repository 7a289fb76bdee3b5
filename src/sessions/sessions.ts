// All live sessions of this process: one supervisor per instance, started staggered, asked by requests.
import { connectionUpdate } from '../domain/event-payloads.ts'
import {
  type LiveSessions,
  type Network,
  NetworkError,
  type NetworkSession,
  type NumberOnNetwork,
} from '../network/network.ts'
import { freeSendLanes, listIdsToResume, settleAfterRestart } from '../store/queries/instances.ts'
import { numberCandidates } from './number-candidates.ts'
import { type BooksDeps, createSessionBooks } from './session-books.ts'
import { Supervisor } from './supervisor.ts'
import { createTurns } from './turns.ts'

/** Handshakes verify signatures in plain JavaScript, 17 ms each: more at once only delay each other. */
const HANDSHAKES_AT_ONCE = 8
const PAIRING_WAIT_MS = 15_000

export interface SessionsDeps extends BooksDeps {
  network: Network
  /** An instance has opened: what waits for it can go. */
  onOpened: (instanceId: number) => void
  random?: () => number
}

export interface Sessions extends LiveSessions {
  /** Brings back every instance that is logged in. Resolves when all have begun. */
  resume(): Promise<void>
  /** The open session of an instance. Raises where there is none. */
  live(instanceId: number): NetworkSession
  /** Asks the network whether the account may write first, and writes down what it says. */
  checkStanding(instanceId: number): Promise<void>
}

export function createSessions(deps: SessionsDeps): Sessions {
  const supervisors = new Map<number, Supervisor>()
  const takeTurn = createTurns(HANDSHAKES_AT_ONCE)

  function supervisorOf(instanceId: number): Supervisor {
    const known =
      supervisors.get(instanceId) ??
      new Supervisor({
        ...deps,
        books: createSessionBooks(deps, instanceId),
        takeTurn,
        random: deps.random ?? Math.random,
      })
    supervisors.set(instanceId, known)
    return known
  }
  function live(instanceId: number): NetworkSession {
    const supervisor = supervisors.get(instanceId)
    if (!supervisor) throw new NetworkError('unavailable', 'the instance is not connected right now')
    return supervisor.live()
  }

  return {
    live,
    async resume() {
      await endPairings(deps)
      const ids = await freeSendLanes(deps.store.db, await listIdsToResume(deps.store.db))
      await Promise.all(ids.map((id) => supervisorOf(id).start()))
    },
    begin: (instanceId) => ensureStarted(supervisorOf(instanceId)),
    async pair(instanceId, number) {
      const supervisor = supervisorOf(instanceId)
      if (number !== undefined) return { qr: null, pairingCode: await pairingCode(supervisor, number) }
      await ensureStarted(supervisor)
      return { qr: await supervisor.code(PAIRING_WAIT_MS), pairingCode: null }
    },
    async qr(instanceId, waitMs) {
      const supervisor = supervisorOf(instanceId)
      await ensureStarted(supervisor)
      return supervisor.code(waitMs)
    },
    async restart(instanceId) {
      await supervisorOf(instanceId).start()
    },
    async logOut(instanceId) {
      await supervisors.get(instanceId)?.logOut()
      supervisors.delete(instanceId)
    },
    ...questionsOf(live),
    async checkStanding(instanceId) {
      await supervisors.get(instanceId)?.checkStanding()
    },
    async close() {
      await Promise.all([...supervisors.values()].map((supervisor) => supervisor.stop()))
    },
  }
}

/** Each goes to the open session of its instance, and raises where there is none. */
const questionsOf = (
  live: (instanceId: number) => NetworkSession,
): Pick<LiveSessions, 'checkNumber' | 'profilePicture' | 'markRead' | 'downloadMedia'> => ({
  checkNumber: async (instanceId, number) => lookUp(live(instanceId), number),
  profilePicture: async (instanceId) => live(instanceId).profilePicture(),
  markRead: async (instanceId, messages) => live(instanceId).markRead(messages),
  downloadMedia: async (instanceId, reference) => live(instanceId).downloadMedia(reference),
})

/** A pairing does not outlive the process that showed its code. */
async function endPairings({ store, clock }: SessionsDeps): Promise<void> {
  await store.transaction(async (tx) => {
    const ended = await settleAfterRestart(tx, clock())
    await store.appendEvents(
      tx,
      ended.map((row) => connectionUpdate(row, clock())),
    )
  })
}

/** An attempt that is under way is as good as a new one; one that only waits for its time is not. */
async function ensureStarted(supervisor: Supervisor): Promise<void> {
  if (!supervisor.isOpen() && !supervisor.isConnecting()) await supervisor.start()
}

/** Asks for every form that the number may be registered under. */
async function lookUp(session: NetworkSession, number: string): Promise<NumberOnNetwork> {
  const candidates = numberCandidates(number)
  const found = await session.lookUp(candidates)
  const jid = candidates.map((candidate) => found.get(candidate)).find((answer) => answer)
  return { exists: jid !== undefined && jid !== null, jid: jid ?? `${number}@s.whatsapp.net` }
}

/** Null where the login that is there was enough. Each code begins with keys of its own. */
async function pairingCode(supervisor: Supervisor, number: string): Promise<string | null> {
  await supervisor.start()
  try {
    return await supervisor.pairingCode(number, PAIRING_WAIT_MS)
  } catch (error) {
    // Half a pairing is in the session's memory by now: nobody may scan or type anything into that one.
    await supervisor.start()
    throw error
  }
}
