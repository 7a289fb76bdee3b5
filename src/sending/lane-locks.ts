// The locks of the lanes that the send worker works on. They are renewed for as long as the work takes, so that no other claim takes a
// lane whose message is still being prepared or sent. The renewal is a timer of this process: if the process hangs or ends, its locks
// expire.
import type { Logger } from 'pino'
import type { Timers } from '../kernel/async/timers.ts'
import type { Store } from '../store/store.ts'
import type { ClaimedSend } from './outbox.ts'

/** A lock is renewed when a third of its time has passed, and checked four times as often: a failed renewal is repeated in time. */
const RENEWALS_PER_LOCK = 3
const CHECKS_PER_RENEWAL = 4
/** A run that takes longer hangs: its lock is not renewed any more, so that another run can send the message. */
const LONGEST_WORK_MS = 60 * 60 * 1000

/** The run has taken too long, and its lane may be claimed again. */
export class OverdueError extends Error {}

export interface LaneLock {
  /** Aborted when the worker stops, when another claim has taken the lane, or, with `OverdueError`, when the work takes too long. */
  readonly signal: AbortSignal
  /**
   * Whether the lane is still locked for this run, to be asked before anything is handed to the network. Renews a lock that is about
   * to expire, for example after the process was suspended. Rejects if the store is unavailable.
   */
  confirm(): Promise<boolean>
  /** The run has ended. */
  release(): void
}

export interface LaneLocks {
  /** `lockedUntil` is that of the claim. */
  hold(claim: Pick<ClaimedSend, 'instanceId' | 'lane' | 'fence'>, lockedUntil: number): LaneLock
  /** A lock is to be renewed. */
  isAnyDue(): boolean
  /** Renews the locks that need it. Called before each claim, which would take over expired locks of this process as well. */
  renewDue(): Promise<void>
  /** Aborts the signal of every run. The locks are renewed until their runs have ended. */
  abort(): void
  /** Ends the renewal. */
  close(): void
}

export interface LaneLockParts {
  store: Pick<Store, 'renewClaim'>
  clock: () => number
  timers: Timers
  lockMs: number
  logger: Pick<Logger, 'warn'>
}

interface Held {
  claim: { instanceId: number; lane: string; fence: number }
  lockedUntil: number
  since: number
  controller: AbortController
}

export function createLaneLocks({ store, clock, timers, lockMs, logger }: LaneLockParts): LaneLocks {
  const held = new Set<Held>()
  const remainingMs = (lock: Held) => lock.lockedUntil - clock()
  const isDue = (lock: Held) => remainingMs(lock) <= lockMs - lockMs / RENEWALS_PER_LOCK
  let isClosing = false

  function lose(lock: Held, reason?: Error): void {
    held.delete(lock)
    lock.controller.abort(reason)
  }
  async function renew(lock: Held): Promise<boolean> {
    const lockedUntil = clock() + lockMs
    if (await store.renewClaim({ ...lock.claim, lockedUntil })) {
      lock.lockedUntil = lockedUntil
      return true
    }
    lose(lock)
    return false
  }
  async function renewDue(): Promise<void> {
    for (const lock of held)
      if (clock() - lock.since > LONGEST_WORK_MS) lose(lock, new OverdueError('the message takes too long'))
    await Promise.all([...held].filter(isDue).map(renew))
  }
  const timer = timers.setInterval(
    () => {
      renewDue().catch((err: unknown) =>
        logger.warn({ err }, 'send worker: locks of messages in progress not renewed; retrying'),
      )
    },
    lockMs / RENEWALS_PER_LOCK / CHECKS_PER_RENEWAL,
  )
  timer.unref()
  return {
    hold({ instanceId, lane, fence }, lockedUntil) {
      const controller = new AbortController()
      if (isClosing) controller.abort()
      const lock: Held = { claim: { instanceId, lane, fence }, lockedUntil, since: clock(), controller }
      held.add(lock)
      return {
        signal: controller.signal,
        async confirm() {
          if (!held.has(lock)) return false
          return remainingMs(lock) > lockMs / RENEWALS_PER_LOCK || renew(lock)
        },
        release: () => void held.delete(lock),
      }
    },
    isAnyDue: () => [...held].some(isDue),
    renewDue,
    abort() {
      isClosing = true
      for (const { controller } of held) controller.abort()
    },
    close: () => timers.clearInterval(timer),
  }
}
