// The send worker: a run for each lane that is claimed, a poll for what no commit has claimed, and the stop.

import { randomUUID } from 'node:crypto'
import { realTimers } from '../async/timers.ts'
import { startWakeLoop } from '../async/wake-loop.ts'
import { createClaims } from './claims.ts'
import { createLaneLocks } from './lane-locks.ts'
import { nextDueAt } from './lane-queries.ts'
import { createFaultCounts, doNothing, sendRun } from './lane-run.ts'
import type { SendWorkerDeps } from './worker-deps.ts'

/** Locks are renewed while their messages are being sent. This is how long they outlive a process that has ended or hangs. */
const LOCK_MS = 180_000
/** How long the stop waits for the acknowledgement of messages that were already sent. */
const GRACE_MS = 5000

export interface SendWorker {
  /** Polls now: a message was accepted, or a session opened. */
  wake(): void
  /** Claims nothing new. Messages in flight are acknowledged within the grace period, or are due at once for the next process. */
  stop(): Promise<void>
}

export function startSendWorker(deps: SendWorkerDeps): SendWorker {
  const { store, clock, logger, lockMs = LOCK_MS, timers = realTimers } = deps
  const inFlight = new Map<string, Promise<boolean>>()
  const faults = createFaultCounts()
  const locks = createLaneLocks({ ...deps, lockMs, timers })
  const graceOver = new AbortController()
  const claims = createClaims({
    ...deps,
    owner: randomUUID(),
    lockMs,
    locks,
    inWork: () => [...inFlight.keys()],
    startRun(lane, run, lockedUntil) {
      const [first] = run
      if (!first) return
      const lock = locks.hold(first, lockedUntil)
      const held = { lock, graceOver: graceOver.signal }
      track(lane, sendRun(deps, faults, run, held, onReleasing).finally(lock.release))
    },
  })
  /** Polls while the outcome is being saved, so that the next claim can share its commit. Some stores let that commit claim. */
  const onReleasing = store.offerClaim ? doNothing : () => loop.wake()
  const loop = startWakeLoop({
    poll: claims.poll,
    nextDueAt: () => nextDueAt(store.db, clock(), deps.nodeId),
    clock,
    timers,
    maxSleepMs: deps.maxSleepMs,
    onError: (err) => logger.warn({ err }, 'send worker: could not claim sends; retrying'),
  })
  const withdraw = claims.offer(loop.wake)

  function track(lane: string, running: Promise<boolean>): void {
    inFlight.set(lane, running)
    void running.then((isReleased) => {
      // The lane was claimed again: a later run has replaced this one.
      if (inFlight.get(lane) !== running) return
      inFlight.delete(lane)
      // The lane may be free without a claim that has seen it.
      if (!isReleased) loop.wake()
    })
  }

  return {
    wake: loop.wake,
    async stop() {
      locks.abort()
      const grace = setTimeout(() => graceOver.abort(), GRACE_MS)
      // A claim that is under way is requeued too; otherwise its lanes would stay locked for the next process.
      await Promise.all([withdraw(), loop.stop()])
      await Promise.allSettled(inFlight.values())
      locks.close()
      clearTimeout(grace)
    },
  }
}
