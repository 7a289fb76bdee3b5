// The supervisors of this process, one per instance, and the log-outs that end them. A mutex per instance keeps them apart.
import { findSessionRow, listToReconcile, type SessionRow } from '../instances/instance-queries.ts'
import { createLiveSettings, type LiveSettings } from '../instances/live-settings.ts'
import { releaseInstances } from '../instances/owner-queries.ts'
import type { InstanceSettings } from '../instances/rules.ts'
import { type Repair, repairOf } from '../instances/rules-session-repair.ts'
import { hasCredentials } from '../instances/session-key-queries.ts'
import { listChangedSettings } from '../instances/settings-queries.ts'
import { type EntryName, entryName } from '../kernel/async/entry-name.ts'
import { createKeyedMutex, createSemaphore } from '../kernel/async/locks.ts'
import { settledWithin } from '../kernel/async/waiting.ts'
import { StoreError } from '../kernel/store-error.ts'
import type { Network, NetworkEvent, NetworkSession } from '../network/network.ts'
import { createSessionRecorder, type RecorderDeps, type SessionRecorder } from '../receiving/recorder.ts'
import { createStateKeeper } from './state-keeper.ts'
import { Supervisor } from './supervisor.ts'
import { type SaveDeps, saveState, type WantedState } from './wanted-state.ts'

/**
 * Opening a session takes 30 to 40 ms of CPU, of which signatures are one or two. The limit does not save CPU: it keeps a restart, or
 * the end of an outage, from opening hundreds of connections to the network from one address at once.
 */
const HANDSHAKES_AT_ONCE = 8
/** Instances that are being paired have handshakes of their own: open QR codes must not delay those that are logged in. */
const PAIRINGS_AT_ONCE = 4
/** The longest wait of a log-out for the network. After that the credentials are destroyed anyway. */
const DETACH_MS = 10_000

/** How long after a change the comparison looks for sessions that do not use it. */
const SETTINGS_AGE_MS = 10 * 60_000

export interface FleetDeps extends RecorderDeps, SaveDeps {
  network: Network
  random?: () => number
}

export interface Fleet {
  get(instanceId: number): Supervisor | undefined
  /** The instances that have a session here. */
  instanceIds(): number[]
  /** Works with the supervisor of an instance, once its log-out is finished. Rejects if that is not possible now. */
  use<T>(instanceId: number, work: (supervisor: Supervisor) => Promise<T>): Promise<T>
  /** Continues where an earlier process ended. */
  resume(row: SessionRow): Promise<void>
  restart(instanceId: number): Promise<void>
  /** Reads the settings of an instance again, if it has a session here. */
  applySettings(instanceId: number): Promise<void>
  /** The settings that the session of an instance uses; undefined: it has none here. */
  settingsOf(instanceId: number): InstanceSettings | undefined
  /** Finishes a recorded log-out; false: destroying the credentials is retried in the background. */
  logOut(instanceId: number): Promise<boolean>
  /** Ends the login at the network without changing the store. */
  end(instanceId: number): Promise<void>
  /** Compares every stored state with its session, and repairs differences. */
  reconcile(): Promise<void>
  countUnsaved(): number
  /** How many instances have a session here, and how many of those wait for a handshake. */
  count(): { sessions: number; waitingHandshakes: number }
  /** Closes the sessions of these instances, so that another node can serve them. */
  release(instanceIds: readonly number[]): Promise<void>
  close(): Promise<void>
}

export function createFleet(deps: FleetDeps): Fleet {
  const { store, nodeId } = deps
  const supervised = createSupervisors(deps)
  const { supervisors, supervisorOf, states, settingsOf, slots } = supervised
  const locked = createInstanceLock()
  const closing = new AbortController()
  const { detach, destroy } = createLogOuts(deps, supervised, closing.signal)
  const repairs = createRepairs(deps, supervised, locked, { detach, destroy })

  const applySettings = (instanceId: number): Promise<void> =>
    locked(instanceId, async () => supervisors.get(instanceId)?.applySettings())

  return {
    get: (instanceId) => supervisors.get(instanceId),
    instanceIds: () => [...supervisors.keys()],
    use: (instanceId, work) =>
      locked(instanceId, async () => {
        const row = await findSessionRow(store.db, instanceId)
        const isPending = row !== undefined && row.logout_requested_at !== null
        if (isPending && !(await destroy(instanceId)) && !(await states.flush(instanceId)))
          throw new StoreError('unavailable', 'the log-out of the instance is not finished yet')
        return work(supervisorOf(instanceId))
      }),
    resume: ({ id, state_reason: reason, state_until: until }) => supervisorOf(id).resume({ reason, until }),
    restart: (instanceId) =>
      locked(instanceId, async () => {
        // After a log-out there is nothing to restart.
        const row = await findSessionRow(store.db, instanceId)
        if (row?.logged_in === 1) await supervisorOf(instanceId).start()
      }),
    applySettings,
    settingsOf: (instanceId) => settingsOf(instanceId)?.current(),
    logOut: (instanceId) => locked(instanceId, () => detach(instanceId).then(() => destroy(instanceId))),
    end: (instanceId) => locked(instanceId, () => detach(instanceId)),
    async reconcile() {
      for (const row of await listToReconcile(store.db, nodeId)) {
        // A state that is being saved needs no repair.
        if (states.isSaved(row.id)) await repairs[repairOf(row, viewOf(supervisors.get(row.id)))](row.id)
      }
      await applyMissed(deps, settingsOf, applySettings)
    },
    countUnsaved: states.countFailed,
    count() {
      const isLoggingIn = (supervisor: Supervisor) =>
        supervisor.isConnecting() && !slots.isPairing(supervisor)
      const loggingIn = [...supervisors.values()].filter(isLoggingIn).length
      return {
        sessions: supervisors.size,
        waitingHandshakes: Math.max(0, loggingIn - HANDSHAKES_AT_ONCE),
      }
    },
    async release(instanceIds) {
      await Promise.all(instanceIds.map((id) => locked(id, () => releaseOne(deps, supervised, id))))
    },
    async close() {
      closing.abort()
      await Promise.all([...[...supervisors.values()].map((supervisor) => supervisor.stop()), states.stop()])
    },
  }
}

/** Applies changes that another node has made while it could not reach this one. */
async function applyMissed(
  { store, clock, logger }: FleetDeps,
  settingsOf: (instanceId: number) => LiveSettings | undefined,
  applySettings: (instanceId: number) => Promise<void>,
): Promise<void> {
  const changed = await listChangedSettings(store.db, clock() - SETTINGS_AGE_MS)
  for (const { instance_id: instanceId, updated_at: version } of changed) {
    const used = settingsOf(instanceId)?.version() ?? version
    if (used === version) continue
    await applySettings(instanceId).catch((err: unknown) =>
      logger.warn({ err, instanceId }, 'sessions: settings not applied; retrying'),
    )
  }
}

/** The store is written last: from then on another node may connect with the login. */
async function releaseOne(
  { store, nodeId }: FleetDeps,
  { supervisors, states }: Supervised,
  instanceId: number,
): Promise<void> {
  const supervisor = supervisors.get(instanceId)
  supervisors.delete(instanceId)
  await supervisor?.stop()
  await states.flush(instanceId)
  await states.drop(instanceId)
  if (nodeId !== undefined) await releaseInstances(store.db, nodeId, [instanceId])
}

interface LogOuts {
  /** Ends the session, and the login at the network if it can be reached. Never rejects. */
  detach(instanceId: number): Promise<void>
  /** Destroys the credentials; false: this is retried in the background. */
  destroy(instanceId: number): Promise<boolean>
}

function createLogOuts(deps: FleetDeps, { supervisors, states }: Supervised, signal: AbortSignal): LogOuts {
  /** Opens a connection to end a login that has no open session, as while it reconnects or after a restart. */
  async function endStoredLogin(instanceId: number): Promise<void> {
    const hasLogin = await hasCredentials(deps.store.db, instanceId).catch(() => false)
    const recorder = createSessionRecorder(deps, instanceId)
    if (hasLogin) await endLoginAtNetwork(deps.network, recorder, DETACH_MS, signal)
  }
  return {
    async detach(instanceId) {
      const supervisor = supervisors.get(instanceId)
      supervisors.delete(instanceId)
      const isOpen = supervisor?.isOpen() ?? false
      if (supervisor) await settledWithin(supervisor.logOut(), DETACH_MS)
      await states.drop(instanceId)
      if (!isOpen) await endStoredLogin(instanceId)
    },
    destroy: (instanceId) => states.recordState(instanceId, { event: 'logged_out', clearsLogin: true }),
  }
}

/** One change of an instance at a time. */
type InstanceLock = <T>(instanceId: number, work: () => Promise<T>) => Promise<T>

function createInstanceLock(): InstanceLock {
  const mutex = createKeyedMutex<EntryName<'instance'>>()
  return (instanceId, work) => mutex.runExclusive(entryName('instance', instanceId), work)
}

/** Each repair reads the row again: a request may have changed it since the comparison. */
function createRepairs(
  { store, logger, nodeId }: FleetDeps,
  { supervisors, supervisorOf, states }: Supervised,
  locked: InstanceLock,
  { detach, destroy }: LogOuts,
): Record<Repair, (instanceId: number) => unknown> {
  async function startMissing(instanceId: number): Promise<void> {
    const row = await findSessionRow(store.db, instanceId, nodeId)
    if (row && repairOf(row, viewOf(supervisors.get(instanceId))) === 'start')
      await supervisorOf(instanceId).resume({ reason: row.state_reason, until: row.state_until })
  }
  async function finishLogOut(instanceId: number): Promise<void> {
    const row = await findSessionRow(store.db, instanceId, nodeId)
    if (row === undefined || row.logout_requested_at === null || !states.isSaved(instanceId)) return
    await detach(instanceId)
    await destroy(instanceId)
  }
  return {
    none: () => undefined,
    save_again: (instanceId) => supervisors.get(instanceId)?.saveAgain(),
    start: (instanceId) => locked(instanceId, () => startMissing(instanceId)),
    mark_stopped: (instanceId) => states.recordState(instanceId, { event: 'stopped' }),
    // In the background: other instances do not wait for the network.
    finish_log_out(instanceId) {
      void locked(instanceId, () => finishLogOut(instanceId)).catch((err: unknown) =>
        logger.warn({ err, instanceId }, 'sessions: log-out not finished; retrying at the next comparison'),
      )
    },
  }
}

type Supervised = ReturnType<typeof createSupervisors>

function createSupervisors(deps: FleetDeps) {
  const supervisors = new Map<number, Supervisor>()
  const settings = new WeakMap<Supervisor, LiveSettings>()
  const slots = createHandshakeSlots(deps)
  const states = createStateKeeper({
    async write(instanceId, wanted) {
      if (!(await saveState(deps, instanceId, wanted))) abandon(instanceId)
    },
    log: (instanceId, message) => deps.logger.warn({ instanceId }, message),
  })
  const statesOf = (instanceId: number) => ({
    recordState: (wanted: WantedState) => states.recordState(instanceId, wanted),
    whenSaved: () => states.whenSaved(instanceId),
  })
  /** Another node serves the instance: its session here ends without a trace. */
  function abandon(instanceId: number): void {
    deps.logger.warn({ instanceId }, 'session: another node serves the instance; the session here ends')
    void supervisors.get(instanceId)?.stop()
    supervisors.delete(instanceId)
    void states.drop(instanceId)
  }
  function createSupervisor(instanceId: number): Supervisor {
    const own = createLiveSettings(deps, instanceId)
    const made: Supervisor = new Supervisor({
      ...deps,
      recorder: createSessionRecorder({ ...deps, onLost: abandon }, instanceId, own),
      states: statesOf(instanceId),
      acquireSlot: () => slots.acquire(made, instanceId),
      random: deps.random ?? Math.random,
    })
    settings.set(made, own)
    return made
  }
  function settingsOf(instanceId: number): LiveSettings | undefined {
    const known = supervisors.get(instanceId)
    return known && settings.get(known)
  }
  function supervisorOf(instanceId: number): Supervisor {
    const known = supervisors.get(instanceId) ?? createSupervisor(instanceId)
    supervisors.set(instanceId, known)
    return known
  }
  return { supervisors, supervisorOf, states, settingsOf, slots }
}

/** Slots for simultaneous handshakes, apart for instances with a login and for those that are being paired. */
function createHandshakeSlots({ store }: Pick<FleetDeps, 'store'>) {
  const [logins, pairings] = [createSemaphore(HANDSHAKES_AT_ONCE), createSemaphore(PAIRINGS_AT_ONCE)]
  /** Those whose latest attempt had no login. */
  const pairing = new WeakSet<Supervisor>()
  return {
    isPairing: (supervisor: Supervisor): boolean => pairing.has(supervisor),
    async acquire(supervisor: Supervisor, instanceId: number): Promise<() => void> {
      // While the store does not answer, nothing is paired.
      const hasLogin = await hasCredentials(store.db, instanceId).catch(() => true)
      if (hasLogin) pairing.delete(supervisor)
      else pairing.add(supervisor)
      return hasLogin ? logins() : pairings()
    },
  }
}

const viewOf = (supervisor: Supervisor | undefined) =>
  supervisor && { isIdle: supervisor.isIdle(), wanted: supervisor.wanted() }

// Ends a login at the network without a supervised session, for a log-out that an earlier process could not finish.

/**
 * Resolves when the network has confirmed the log-out, when it refused the login, or at the time limit. Half of the time is
 * for the connection, half for the log-out. Never rejects.
 */
async function endLoginAtNetwork(
  network: Network,
  { credentials, sessionOptions }: Pick<SessionRecorder, 'credentials' | 'sessionOptions'>,
  waitMs: number,
  signal: AbortSignal,
): Promise<void> {
  const outcome = Promise.withResolvers<'opened' | 'over'>()
  const timer = setTimeout(() => outcome.resolve('over'), waitMs / 2)
  const stop = () => outcome.resolve('over')
  signal.addEventListener('abort', stop)
  const onEvent = async ({ kind }: NetworkEvent) => {
    if (kind === 'opened') outcome.resolve('opened')
    // A QR code means that the credentials hold no login.
    else if (kind === 'closed' || kind === 'qr') outcome.resolve('over')
  }
  const connecting = connect()
  async function connect(): Promise<NetworkSession> {
    const options = await sessionOptions()
    return network.connect({
      ...options,
      credentials: await credentials(),
      onEvent,
      findSent: async () => undefined,
      findOriginals: async () => [],
    })
  }
  connecting.catch(() => outcome.resolve('over'))
  const isOpen = (await outcome.promise) === 'opened'
  clearTimeout(timer)
  signal.removeEventListener('abort', stop)
  await endSession(connecting, isOpen, waitMs / 2)
}

async function endSession(
  connecting: Promise<NetworkSession>,
  isOpen: boolean,
  waitMs: number,
): Promise<void> {
  const ended = connecting.then((session) => (isOpen ? session.logOut() : session.close()))
  await settledWithin(ended, waitMs)
}
