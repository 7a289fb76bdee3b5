// The supervisors of this process, one per instance, and the log-outs that end them. A mutex per instance keeps them apart.

import { createKeyedMutex, type KeyedMutex } from '../async/keyed-mutex.ts'
import { createSemaphore } from '../async/semaphore.ts'
import { settledWithin } from '../async/settled-within.ts'
import type { Network } from '../network/network.ts'
import { type Repair, repairOf } from '../rules/session-repair.ts'
import { findSessionRow, listToReconcile, type SessionRow } from '../store/queries/instances.ts'
import { hasCredentials } from '../store/queries/session-keys.ts'
import { StoreError } from '../store/store-error.ts'
import { endLoginAtNetwork } from './end-login.ts'
import { createSessionRecorder, type RecorderDeps } from './session-recorder.ts'
import { createStateKeeper } from './state-keeper.ts'
import { Supervisor } from './supervisor.ts'
import { type SaveDeps, saveState, type WantedState } from './wanted-state.ts'

/** A handshake verifies signatures in plain JavaScript for 17 ms: more at a time only delay each other. */
const HANDSHAKES_AT_ONCE = 8
/** The longest wait of a log-out for the network. After that the credentials are destroyed anyway. */
const DETACH_MS = 10_000

export interface FleetDeps extends RecorderDeps, SaveDeps {
  network: Network
  random?: () => number
}

export interface Fleet {
  get(instanceId: number): Supervisor | undefined
  /** Works with the supervisor of an instance, once its log-out is finished. Rejects if that is not possible now. */
  use<T>(instanceId: number, work: (supervisor: Supervisor) => Promise<T>): Promise<T>
  /** Continues where an earlier process ended. */
  resume(row: SessionRow): Promise<void>
  restart(instanceId: number): Promise<void>
  /** Finishes a recorded log-out; false: destroying the credentials is retried in the background. */
  logOut(instanceId: number): Promise<boolean>
  /** Ends the login at the network without changing the store. */
  end(instanceId: number): Promise<void>
  /** Compares every stored state with its session, and repairs differences. */
  reconcile(): Promise<void>
  countUnsaved(): number
  close(): Promise<void>
}

export function createFleet(deps: FleetDeps): Fleet {
  const { store } = deps
  const supervised = createSupervisors(deps)
  const { supervisors, supervisorOf, states } = supervised
  const mutex = createKeyedMutex<number>()
  const closing = new AbortController()
  const { detach, destroy } = createLogOuts(deps, supervised, closing.signal)
  const repairs = createRepairs(deps, supervised, mutex, { detach, destroy })

  return {
    get: (instanceId) => supervisors.get(instanceId),
    use: (instanceId, work) =>
      mutex.runExclusive(instanceId, async () => {
        const row = await findSessionRow(store.db, instanceId)
        const isPending = row !== undefined && row.logout_requested_at !== null
        if (isPending && !(await destroy(instanceId)) && !(await states.flush(instanceId)))
          throw new StoreError('unavailable', 'the log-out of the instance is not finished yet')
        return work(supervisorOf(instanceId))
      }),
    resume: ({ id, state_reason: reason, state_until: until }) => supervisorOf(id).resume({ reason, until }),
    restart: (instanceId) =>
      mutex.runExclusive(instanceId, async () => {
        // After a log-out there is nothing to restart.
        const row = await findSessionRow(store.db, instanceId)
        if (row?.logged_in === 1) await supervisorOf(instanceId).start()
      }),
    logOut: (instanceId) =>
      mutex.runExclusive(instanceId, () => detach(instanceId).then(() => destroy(instanceId))),
    end: (instanceId) => mutex.runExclusive(instanceId, () => detach(instanceId)),
    async reconcile() {
      for (const row of await listToReconcile(store.db)) {
        // A state that is being saved needs no repair.
        if (states.isSaved(row.id)) await repairs[repairOf(row, viewOf(supervisors.get(row.id)))](row.id)
      }
    },
    countUnsaved: states.countFailed,
    async close() {
      closing.abort()
      await Promise.all([...[...supervisors.values()].map((supervisor) => supervisor.stop()), states.stop()])
    },
  }
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
    const { credentials } = createSessionRecorder(deps, instanceId)
    if (hasLogin) await endLoginAtNetwork(deps.network, credentials, DETACH_MS, signal)
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

/** Each repair reads the row again: a request may have changed it since the comparison. */
function createRepairs(
  { store, logger }: FleetDeps,
  { supervisors, supervisorOf, states }: Supervised,
  mutex: KeyedMutex<number>,
  { detach, destroy }: LogOuts,
): Record<Repair, (instanceId: number) => unknown> {
  async function startMissing(instanceId: number): Promise<void> {
    const row = await findSessionRow(store.db, instanceId)
    if (row && repairOf(row, viewOf(supervisors.get(instanceId))) === 'start')
      await supervisorOf(instanceId).resume({ reason: row.state_reason, until: row.state_until })
  }
  async function finishLogOut(instanceId: number): Promise<void> {
    const row = await findSessionRow(store.db, instanceId)
    if (row === undefined || row.logout_requested_at === null || !states.isSaved(instanceId)) return
    await detach(instanceId)
    await destroy(instanceId)
  }
  return {
    none: () => undefined,
    save_again: (instanceId) => supervisors.get(instanceId)?.saveAgain(),
    start: (instanceId) => mutex.runExclusive(instanceId, () => startMissing(instanceId)),
    mark_stopped: (instanceId) => states.recordState(instanceId, { event: 'stopped' }),
    // In the background: other instances do not wait for the network.
    finish_log_out(instanceId) {
      void mutex
        .runExclusive(instanceId, () => finishLogOut(instanceId))
        .catch((err: unknown) =>
          logger.warn({ err, instanceId }, 'sessions: log-out not finished; retrying at the next comparison'),
        )
    },
  }
}

type Supervised = ReturnType<typeof createSupervisors>

function createSupervisors(deps: FleetDeps) {
  const supervisors = new Map<number, Supervisor>()
  const acquireSlot = createSemaphore(HANDSHAKES_AT_ONCE)
  const states = createStateKeeper({
    write: (instanceId, wanted) => saveState(deps, instanceId, wanted),
    log: (instanceId, message) => deps.logger.warn({ instanceId }, message),
  })
  const statesOf = (instanceId: number) => ({
    recordState: (wanted: WantedState) => states.recordState(instanceId, wanted),
    whenSaved: () => states.whenSaved(instanceId),
  })
  function supervisorOf(instanceId: number): Supervisor {
    const known =
      supervisors.get(instanceId) ??
      new Supervisor({
        ...deps,
        recorder: createSessionRecorder(deps, instanceId),
        states: statesOf(instanceId),
        acquireSlot,
        random: deps.random ?? Math.random,
      })
    supervisors.set(instanceId, known)
    return known
  }
  return { supervisors, supervisorOf, states }
}

const viewOf = (supervisor: Supervisor | undefined) =>
  supervisor && { isIdle: supervisor.isIdle(), wanted: supervisor.wanted() }
