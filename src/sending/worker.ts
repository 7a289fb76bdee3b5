// The send worker: a run for each lane that is claimed, a poll for what no commit has claimed, and the stop.
import { randomUUID } from 'node:crypto'
import { realTimers } from '../kernel/async/timers.ts'
import { type Found, startWakeLoop } from '../kernel/async/wake-loop.ts'
import type { ClaimOffer } from '../store/operations/claim-offer.ts'
import { createLaneLocks, type LaneLocks } from './lane-locks.ts'
import { createFaultCounts, doNothing, type SendWorkerDeps, sendRun } from './lane-run.ts'
import type { ClaimedSend, ClaimRequest } from './outbox.ts'
import { freeLanesOf, nextDueAt } from './queue-queries.ts'

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

// Claims lanes: with a poll, and, where the engine can, with the commit that accepts a send or releases a lane.

const CLAIM_SIZE = 50
/** Messages of a chat sent under one claim, so that only the last waits for a commit. Short, so that other chats get their turn. */
const RUN_LENGTH = 4

interface ClaimsParts extends Pick<SendWorkerDeps, 'store' | 'clock' | 'nodeId' | 'perInstance'> {
  owner: string
  lockMs: number
  locks: Pick<LaneLocks, 'isAnyDue' | 'renewDue'>
  /** The lanes that runs work on. */
  inWork(): string[]
  startRun(lane: string, run: ClaimedSend[], lockedUntil: number): void
}

export interface Claims {
  /** Claims what is due. */
  poll(): Promise<Found>
  /** Lets commits claim until the returned function is called. It resolves when no commit claims any more. */
  offer(wake: () => void): () => Promise<void>
}

interface ClaimState {
  /** Claims that failed since the last recovery. They may have locked lanes that no run works on. */
  lost: number
  /** A commit that may claim is under way. */
  joined: PromiseWithResolvers<void> | undefined
}

export function createClaims(parts: ClaimsParts): Claims {
  const { store, clock, owner, locks } = parts
  const state: ClaimState = { lost: 0, joined: undefined }

  /** A lane that a commit has just claimed is not lost: `joined` ends when its run has started. */
  async function freeLost(): Promise<void> {
    const found = state.lost
    await state.joined?.promise
    await freeLanesOf(store, owner, parts.inWork())
    state.lost -= found
  }
  return {
    async poll() {
      // The time of the claim is read first: no lock of this process expires between its renewal and the claim.
      const now = clock()
      await locks.renewDue()
      if (state.lost > 0) await freeLost()
      const request = requestAt(parts, now)
      try {
        return startRuns(parts, await store.claimSends(request), request)
      } catch (err) {
        state.lost += 1
        throw err
      }
    },
    offer(wake) {
      const withdraw = store.offerClaim?.('claimSends', offerOf(parts, state, wake))
      return async () => {
        withdraw?.()
        await state.joined?.promise
      }
    },
  }
}

function requestAt({ owner, nodeId, lockMs, perInstance }: ClaimsParts, now: number): ClaimRequest {
  return { owner, nodeId, now, lockMs, perInstance, limit: CLAIM_SIZE, runLength: RUN_LENGTH }
}

function startRuns(parts: ClaimsParts, claimed: ClaimedSend[], { now, lockMs }: ClaimRequest): Found {
  const runs = Map.groupBy(claimed, ({ lane }) => lane)
  for (const [lane, run] of runs) parts.startRun(lane, run, now + lockMs)
  return runs.size === CLAIM_SIZE ? 'more' : 'all'
}

/** What commits claim. One at a time, and none while lanes may be locked that no run works on. */
function offerOf(parts: ClaimsParts, state: ClaimState, wake: () => void): ClaimOffer<'claimSends'> {
  const endJoined = (): void => {
    state.joined?.resolve()
    state.joined = undefined
  }
  return {
    wants() {
      const now = parts.clock()
      // A lock that is about to expire is renewed first: the claim would take its lane.
      if (state.lost > 0 || state.joined || parts.locks.isAnyDue()) return undefined
      state.joined = Promise.withResolvers()
      return requestAt(parts, now)
    },
    take(claimed, request) {
      const found = startRuns(parts, claimed, request)
      endJoined()
      if (found === 'more') wake()
    },
    failed() {
      state.lost += 1
      endJoined()
      wake()
    },
    missed: wake,
  }
}
