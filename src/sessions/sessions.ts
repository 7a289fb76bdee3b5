// All sessions of this process, as requests and workers use them: one supervisor per instance.

import { createPictureLookups } from '../contacts/pictures.ts'
import { numberCandidates } from '../contacts/rules-numbers.ts'
import { connectionUpdate } from '../events/rules-payloads.ts'
import { endInterruptedPairings, freeSendLanes, listToResume } from '../instances/instance-queries.ts'
import { listQuietInstances, takeInstance, takeInstances } from '../instances/owner-queries.ts'
import type { InstanceSettings } from '../instances/rules.ts'
import { createBoundedMap } from '../kernel/async/bounded-map.ts'
import type { EntryName } from '../kernel/async/entry-name.ts'
import { settledWithin } from '../kernel/async/waiting.ts'
import { StoreError } from '../kernel/store-error.ts'
import { CHAT_CALLS } from '../network/chats.ts'
import { GROUP_CALLS } from '../network/groups.ts'
import { personJid } from '../network/jid.ts'
import {
  type LiveSessions,
  NetworkError,
  type NetworkSession,
  type NumberOnNetwork,
} from '../network/network.ts'
import type { LivePasskeyCalls } from '../network/passkey.ts'
import { PEOPLE_CALLS } from '../network/people.ts'
import { chunksOf } from '../store/chunks.ts'
import { createFleet, type Fleet, type FleetDeps } from './fleet.ts'
import type { Supervisor } from './supervisor.ts'

const PAIRING_WAIT_MS = 15_000
const RECONCILE_MS = 30_000
/** How long close() waits for a running comparison. */
/** People whose chats under lid and number were merged, or looked for. */
const MAX_SETTLED = 20_000
const LAST_PASS_MS = 2000

export interface SessionsDeps extends FleetDeps {
  /** Runs the work at an interval; returns a function that ends it. */
  every?: (ms: number, work: () => void) => () => void
}

/** With several nodes: the instances that this one serves. */
export interface OwnedSessions {
  /** Takes instances that no node serves, and connects them. Returns how many it has got. */
  take(limit: number): Promise<number>
  /** Takes one instance for a request. False: another node serves it. */
  takeOne(instanceId: number): Promise<boolean>
  /** Hands over instances that have nothing to send; without a limit all instances. Returns how many. */
  release(limit?: number): Promise<number>
  count(): { sessions: number; waitingHandshakes: number }
}

export interface Sessions extends LiveSessions {
  /**
   * Starts a session for every logged-in instance, and the comparison of stored states with sessions. With several nodes the
   * instances are taken one by one instead (`owned`).
   */
  resume(instances: 'all' | 'none'): Promise<void>
  owned: OwnedSessions
  /** The settings that the session of an instance uses; undefined: it has none here. */
  settingsOf(instanceId: number): InstanceSettings | undefined
  /** The open session of an instance. Throws if there is none. */
  openSession(instanceId: number): NetworkSession
  /** Asks the network until when the account may not start new chats, and records the answer. */
  refreshRestriction(instanceId: number): Promise<void>
}

export function createSessions(deps: SessionsDeps): Sessions {
  const fleet = createFleet({
    ...deps,
    settledLids: createBoundedMap<EntryName<'instance'>, string>(MAX_SETTLED),
  })
  const reconciling = createRepeater(
    () => fleet.reconcile(),
    deps.every ?? everyInterval,
    (err) => deps.logger.warn({ err }, 'sessions: could not compare states with sessions; retrying'),
  )
  function openSession(instanceId: number): NetworkSession {
    const supervisor = fleet.get(instanceId)
    if (!supervisor) throw new NetworkError('unavailable', 'the instance is not connected right now')
    return supervisor.openSession()
  }
  const startedSupervisor = (instanceId: number): Promise<Supervisor> =>
    fleet.use(instanceId, async (supervisor) => {
      await ensureStarted(supervisor)
      return supervisor
    })

  return {
    openSession: openSession,
    owned: ownedSessions(deps, fleet),
    async resume(instances) {
      if (instances === 'all') await resumeAll(deps, fleet)
      // The first comparison finishes log-outs that an earlier process left.
      reconciling.start(RECONCILE_MS)
    },
    async start(instanceId) {
      await startedSupervisor(instanceId)
    },
    async pair(instanceId, number) {
      if (number !== undefined) return { qr: null, pairingCode: await pairingCode(fleet, instanceId, number) }
      const supervisor = await startedSupervisor(instanceId)
      return { qr: await supervisor.code(PAIRING_WAIT_MS), pairingCode: null }
    },
    ...passkeyCalls(fleet),
    qr: async (instanceId, waitMs) => (await startedSupervisor(instanceId)).code(waitMs),
    restart: fleet.restart,
    applySettings: fleet.applySettings,
    settingsOf: fleet.settingsOf,
    logOut: fleet.logOut,
    end: fleet.end,
    ...sessionCalls(openSession, deps.onEvidence),
    async refreshRestriction(instanceId) {
      await fleet.get(instanceId)?.refreshRestriction()
    },
    async check() {
      const unsaved = fleet.countUnsaved()
      if (unsaved > 0)
        throw new StoreError('unavailable', `the states of ${unsaved} instances are not saved yet`)
    },
    async close() {
      await Promise.all([reconciling.stop(), fleet.close()])
    },
  }
}

/** Runs the work at once and then at an interval, never twice at a time. */
function createRepeater(
  work: () => Promise<void>,
  every: NonNullable<SessionsDeps['every']>,
  onFailure: (error: unknown) => void,
): { start(ms: number): void; stop(): Promise<void> } {
  let running: Promise<void> | undefined
  let end = () => undefined as void
  const pass = () => {
    running ??= work()
      .catch(onFailure)
      .finally(() => (running = undefined))
  }
  return {
    start(ms) {
      pass()
      end = every(ms, pass)
    },
    async stop() {
      end()
      if (running) await settledWithin(running, LAST_PASS_MS)
    },
  }
}

function everyInterval(ms: number, work: () => void): () => void {
  const timer = setInterval(work, ms)
  timer.unref()
  return () => clearInterval(timer)
}

/** Calls about the passkey step, which only an instance that is being linked has. */
const passkeyCalls = (fleet: Fleet): LivePasskeyCalls => {
  const ceremonyOf = (instanceId: number) => fleet.get(instanceId)?.passkey
  return {
    passkey: async (instanceId) => ceremonyOf(instanceId)?.step() ?? null,
    answerPasskey: async (instanceId, assertion) =>
      ceremonyOf(instanceId)?.answer(assertion) ?? 'not_expected',
    confirmPasskey: async (instanceId, code) => ceremonyOf(instanceId)?.confirm(code) ?? 'not_expected',
    cancelPasskey: async (instanceId) => ceremonyOf(instanceId)?.cancel() ?? 'not_expected',
    openPasskeyLink: async (instanceId, tokenHash) => ceremonyOf(instanceId)?.openLink(tokenHash) ?? null,
    followPasskeyLink: async (instanceId, tokenHash) => ceremonyOf(instanceId)?.followLink(tokenHash) ?? null,
  }
}

/** Calls to the open session of an instance. Each rejects if there is none. */
const sessionCalls = (
  openSession: (instanceId: number) => NetworkSession,
  onEvidence: SessionsDeps['onEvidence'],
): Pick<LiveSessions, 'checkNumber' | 'profilePicture' | 'markRead' | 'downloadMedia' | 'rejectCall'> &
  PassedCalls => ({
  ...passedCalls(openSession),
  async checkNumber(instanceId, number) {
    const answer = await lookUp(openSession(instanceId), number)
    if (answer.exists) onEvidence(instanceId, [number])
    return answer
  },
  profilePicture: createPictureLookups(openSession),
  markRead: async (instanceId, messages, as) => openSession(instanceId).markRead(messages, as),
  downloadMedia: async (instanceId, reference) => openSession(instanceId).downloadMedia(reference),
  rejectCall: async (instanceId, callId, creator) => openSession(instanceId).rejectCall(callId, creator),
})

type PassedCalls = Pick<
  LiveSessions,
  (typeof GROUP_CALLS)[number] | (typeof CHAT_CALLS)[number] | (typeof PEOPLE_CALLS)[number]
>

/** Each call of the open session, with the instance as its first argument. */
function passedCalls(openSession: (instanceId: number) => NetworkSession): PassedCalls {
  const calls = [...GROUP_CALLS, ...CHAT_CALLS, ...PEOPLE_CALLS].map((name) => [
    name,
    async (instanceId: number, ...args: unknown[]) => {
      const session = openSession(instanceId) as unknown as Record<string, (...given: unknown[]) => unknown>
      return session[name]?.(...args)
    },
  ])
  return Object.fromEntries(calls) as PassedCalls
}

/** More than an installation of one process has. */
const ALL = 1_000_000

/** The only process on the database, or the only node that is live. */
async function resumeAll(deps: SessionsDeps, fleet: Fleet): Promise<void> {
  if (deps.nodeId !== undefined)
    return adopt(deps, fleet, await takeInstances(deps.store.db, deps.nodeId, ALL))
  await endPairings(deps)
  const rows = await listToResume(deps.store.db)
  await freeSendLanes(
    deps.store,
    rows.map(({ id }) => id),
  )
  await Promise.all(rows.map(fleet.resume))
}

/** Continues the instances that this node has taken. A log-out that is not finished waits for the next comparison. */
async function adopt(deps: SessionsDeps, fleet: Fleet, instanceIds: number[]): Promise<void> {
  for (const ids of chunksOf(instanceIds)) {
    await endPairings(deps, ids)
    await Promise.all((await listToResume(deps.store.db, ids)).map(fleet.resume))
  }
}

function ownedSessions(deps: SessionsDeps, fleet: Fleet): OwnedSessions {
  const { store, nodeId } = deps
  return {
    async take(limit) {
      if (nodeId === undefined) return 0
      const taken = await takeInstances(store.db, nodeId, limit)
      await adopt(deps, fleet, taken)
      return taken.length
    },
    takeOne: async (instanceId) => nodeId === undefined || (await takeInstance(store.db, nodeId, instanceId)),
    async release(limit) {
      if (nodeId === undefined) return 0
      const ids =
        limit === undefined ? fleet.instanceIds() : await listQuietInstances(store.db, nodeId, limit)
      await fleet.release(ids)
      return ids.length
    },
    count: fleet.count,
  }
}

/** A pairing ends with the process that showed its QR code. */
async function endPairings({ store, clock }: SessionsDeps, instanceIds?: number[]): Promise<void> {
  await store.transaction(async (tx) => {
    const ended = await endInterruptedPairings(tx, clock(), instanceIds)
    await store.appendEvents(
      tx,
      ended.map((row) => connectionUpdate(row, clock())),
    )
  })
}

/** An attempt under way is used; a pause before the next attempt is cut short. */
async function ensureStarted(supervisor: Supervisor): Promise<void> {
  if (!supervisor.isOpen() && !supervisor.isConnecting()) await supervisor.start()
}

/** Looks up every form that the number may be registered under. The answer for the number itself is preferred. */
async function lookUp(session: NetworkSession, number: string): Promise<NumberOnNetwork> {
  const candidates = numberCandidates(number)
  const found = await session.lookUp(candidates)
  const jid = candidates.map((candidate) => found.get(candidate)).find((answer) => answer)
  if (!jid) return { exists: false, jid: personJid(number) }
  return { exists: true, jid, isConfirmed: found.get(number) === jid }
}

/** Null if the instance opened with its login. Restarts first: each pairing code needs new keys. */
async function pairingCode(
  fleet: ReturnType<typeof createFleet>,
  instanceId: number,
  number: string,
): Promise<string | null> {
  const supervisor = await fleet.use(instanceId, async (one) => {
    await one.start()
    return one
  })
  try {
    return await supervisor.pairingCode(number, PAIRING_WAIT_MS)
  } catch (error) {
    // The session holds an incomplete pairing that must not be used any more.
    await supervisor.start()
    throw error
  }
}
