// All live sessions of this process: one supervisor per instance, started staggered, asked by requests.

import { type LiveSessions, type Network, NetworkError, type NetworkSession } from '../network/network.ts'
import { claimInstances, listLoggedInIds, settleAfterRestart } from '../store/queries/instances.ts'
import { numberCandidates } from './number-candidates.ts'
import { type BooksDeps, createSessionBooks } from './session-books.ts'
import { createSupervisor, type Supervisor } from './supervisor.ts'

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
}

export function createSessions(deps: SessionsDeps): Sessions {
  const supervisors = new Map<number, Promise<Supervisor>>()
  const takeTurn = createTurns(HANDSHAKES_AT_ONCE)
  const ready = new Map<number, Supervisor>()

  function supervisorOf(instanceId: number): Promise<Supervisor> {
    const known = supervisors.get(instanceId)
    if (known) return known
    const made = makeSupervisor(instanceId)
    supervisors.set(instanceId, made)
    // A store that was gone for a moment must not leave the instance without a session for good.
    made.catch(() => supervisors.delete(instanceId))
    return made
  }
  const claim = (instanceIds: number[]) => deps.store.transaction((tx) => claimInstances(tx, instanceIds))
  async function makeSupervisor(instanceId: number): Promise<Supervisor> {
    return supervise(instanceId, await claim([instanceId]))
  }
  function supervise(instanceId: number, fences: Map<number, number>): Supervisor {
    const fence = fences.get(instanceId)
    if (fence === undefined) throw new NetworkError('unavailable', 'the instance is gone')
    const supervisor = createSupervisor({
      network: deps.network,
      books: createSessionBooks(deps, instanceId, fence),
      instance: { id: instanceId },
      takeTurn,
      clock: deps.clock,
      random: deps.random ?? Math.random,
    })
    ready.set(instanceId, supervisor)
    return supervisor
  }
  function live(instanceId: number): NetworkSession {
    const supervisor = ready.get(instanceId)
    if (!supervisor) throw new NetworkError('unavailable', 'the instance is not connected right now')
    return supervisor.live()
  }

  return {
    live,
    async resume() {
      await settleAfterRestart(deps.store.db, deps.clock())
      const ids = await listLoggedInIds(deps.store.db)
      const fences = await claim(ids)
      for (const id of ids) supervisors.set(id, Promise.resolve(supervise(id, fences)))
      await Promise.all(ids.map(async (id) => (await supervisorOf(id)).start()))
    },
    async pair(instanceId, number) {
      const supervisor = await supervisorOf(instanceId)
      if (!supervisor.isPairing() || number !== undefined) await supervisor.start()
      if (number === undefined) return { qr: await supervisor.qr(PAIRING_WAIT_MS), pairingCode: null }
      const session = await supervisor.pairing(PAIRING_WAIT_MS)
      return { qr: null, pairingCode: await session.requestPairingCode(number) }
    },
    async qr(instanceId, waitMs) {
      const supervisor = await supervisorOf(instanceId)
      if (!supervisor.isPairing() && !supervisor.isOpen()) await supervisor.start()
      return supervisor.qr(waitMs)
    },
    async restart(instanceId) {
      await (await supervisorOf(instanceId)).start()
    },
    async logOut(instanceId) {
      await (await supervisorOf(instanceId)).logOut()
      supervisors.delete(instanceId)
      ready.delete(instanceId)
    },
    async checkNumber(instanceId, number) {
      const candidates = numberCandidates(number)
      const found = await live(instanceId).lookUp(candidates)
      const jid = candidates.map((candidate) => found.get(candidate)).find((answer) => answer)
      return { exists: jid !== undefined && jid !== null, jid: jid ?? `${number}@s.whatsapp.net` }
    },
    profilePicture: (instanceId) => live(instanceId).profilePicture(),
    async close() {
      await Promise.all([...supervisors.values()].map(async (supervisor) => (await supervisor).stop()))
    },
  }
}

/** At most so many at a time; the rest wait in the order they came. */
function createTurns(size: number): () => Promise<() => void> {
  let free = size
  const waiting: (() => void)[] = []
  const leave = () => {
    const next = waiting.shift()
    if (next) next()
    else free += 1
  }
  return async () => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    let left = false
    return () => {
      if (!left) leave()
      left = true
    }
  }
}
