// The send worker: claims due lanes, sends their first messages in order, and saves the outcome of each.

import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type BoundedMap, createBoundedMap } from '../../async/bounded-map.ts'
import { onAbort } from '../../async/on-abort.ts'
import { realTimers, type Timers } from '../../async/timers.ts'
import { type Found, startWakeLoop } from '../../async/wake-loop.ts'
import type { FailureReason } from '../../contract/sending.ts'
import type { Tracer } from '../../domain/tracer.ts'
import { afterUnexpected, requeued } from '../../rules/send-failure.ts'
import type { SendOutcome } from '../../rules/settle-send.ts'
import type { ClaimedSend, ClaimRequest } from '../../store/operations/claim/types.ts'
import type { SettleRequest } from '../../store/operations/settle/types.ts'
import { freeLanesOf, makeLanesDue, nextDueAt } from '../../store/queries/lanes.ts'
import type { Store } from '../../store/store.ts'
import { createLaneLocks, type LaneLock, OverdueError } from './lane-locks.ts'
import { type SendDeps, sendClaimed } from './send-one.ts'

/** Locks are renewed while their messages are being sent. This is how long they outlive a process that has ended or hangs. */
const LOCK_MS = 180_000
const CLAIM_SIZE = 50
/** Messages of a chat sent under one claim, so that only the last waits for a commit. Short, so that other chats get their turn. */
const RUN_LENGTH = 4
const RUN_MS = 1000
const FIRST_SETTLE_PAUSE_MS = 100
const LONGEST_SETTLE_PAUSE_MS = 5000
/** How long the stop waits for the acknowledgement of messages that were already sent. */
const GRACE_MS = 5000

export interface SendWorker {
  /** Polls now: a message was accepted, or a session opened. */
  wake(): void
  /** Claims nothing new. Messages in flight are acknowledged within the grace period, or are due at once for the next process. */
  stop(): Promise<void>
}

export interface SendWorkerDeps extends SendDeps {
  store: Store
  clock: () => number
  logger: Logger
  /** This node, if several may use the database. */
  nodeId?: number | undefined
  /** How long it sleeps at most without a wake-up; absent: 5 s. */
  maxSleepMs?: (() => number) | undefined
  /** How many lanes of one instance are worked on at the same time. */
  perInstance: number
  /** One try has ended; `reason` is that of a failure. */
  observe(outcome: SendOutcome['kind'], seconds: number, reason?: FailureReason): void
  /** Absent while tracing is off. */
  trace?: Tracer | undefined
  /** Changes each time all lanes of the instance were made due: its session opened, or its restriction ended. */
  wakeCount(instanceId: number): number
  timers?: Timers
  /** How long the lock of a lane lasts unless it is renewed. */
  lockMs?: number
}

/** How often each message, by row id, met an unexpected error. Entries of deleted and expired messages are never removed one by one. */
type Faults = BoundedMap<number, number>
const MAX_FAULTS = 10_000

function unexpectedFailure(
  deps: SendWorkerDeps,
  faults: Faults,
  { rowId, messageId }: ClaimedSend,
  err: unknown,
): SendOutcome {
  const met = (faults.get(rowId) ?? 0) + 1
  faults.set(rowId, met)
  const outcome = afterUnexpected(met, deps.clock())
  const next = outcome.kind === 'retry' ? 'retrying' : 'the message is failed'
  deps.logger.error({ err, messageId, met }, `send worker: unexpected error; ${next}`)
  return outcome
}

/** What a run of messages is sent under. */
interface Held {
  /** Once its signal is aborted, no further message is handed to the network. */
  lock: LaneLock
  /** The grace period is over: messages without an acknowledgement are requeued. */
  graceOver: AbortSignal
}

/** Ends when the grace period does: without that, a silent socket would delay the stop by the whole acknowledgement timeout. */
async function outcomeOf(
  deps: SendWorkerDeps,
  faults: Faults,
  claim: ClaimedSend,
  { lock, graceOver }: Held,
): Promise<SendOutcome> {
  const over = Promise.withResolvers<SendOutcome>()
  const forget = onAbort(graceOver, () => over.resolve(requeued(deps.clock())))
  try {
    const sending = sendClaimed(deps, claim, lock).catch((err: unknown) =>
      unexpectedFailure(deps, faults, claim, err),
    )
    const outcome = await Promise.race([sending, over.promise])
    const { reason } = lock.signal as { reason: unknown }
    // The message was given up. It counts as a fault, so that one that always takes too long fails in the end.
    return outcome.kind === 'retry' && reason instanceof OverdueError
      ? unexpectedFailure(deps, faults, claim, reason)
      : outcome
  } finally {
    forget()
  }
}

async function observedOutcome(
  deps: SendWorkerDeps,
  faults: Faults,
  claim: ClaimedSend,
  held: Held,
): Promise<SendOutcome> {
  const mark = performance.now()
  const started = deps.trace?.start()
  const outcome = await outcomeOf(deps, faults, claim, held)
  const reason = outcome.kind === 'failed' ? outcome.reason : undefined
  deps.observe(outcome.kind, (performance.now() - mark) / 1000, reason)
  if (started) deps.trace?.send(started, claim, outcome)
  return outcome
}

/**
 * Sends the messages of one lane in order. The outcome of one is saved while the next is sent; the last one releases the lane. True if it
 * is released: the claim that `onReleasing` caused has found it free.
 */
async function sendRun(
  deps: SendWorkerDeps,
  faults: Faults,
  run: ClaimedSend[],
  held: Held,
  onReleasing: () => void,
): Promise<boolean> {
  const startedAt = deps.clock()
  const { signal } = held.lock
  let settled: Promise<boolean> = Promise.resolve(true)
  for (const claim of run) {
    const wakeCount = deps.wakeCount(claim.instanceId)
    const outcome = await observedOutcome(deps, faults, claim, held)
    if (outcome.kind !== 'retry') faults.delete(claim.rowId)
    const isLast = claim === run.at(-1) || deps.clock() - startedAt >= RUN_MS
    const release = isLast || outcome.kind === 'retry' || signal.aborted
    // False: another process has claimed the lane since.
    if (!(await settled)) return false
    settled = settle(deps, claim, { outcome, release }, signal, release ? onReleasing : doNothing)
    if (!release) continue
    const isReleased = await settled
    // The lanes were made due while this message was being sent, before its retry was saved: make this lane due again.
    if (outcome.kind === 'retry' && deps.wakeCount(claim.instanceId) !== wakeCount)
      await makeLanesDue(deps.store, claim.instanceId, deps.clock())
    return isReleased && outcome.kind !== 'retry'
  }
  return false
}

const doNothing = (): void => undefined

/**
 * Retries while the store is unavailable: a message whose outcome is known must not be sent a second time. Gives up when the lane
 * is lost or the process stops; then the message is sent again under the same id.
 */
async function settle(
  deps: SendWorkerDeps,
  claim: ClaimedSend,
  end: Pick<SettleRequest, 'outcome' | 'release'>,
  stopping: AbortSignal,
  onSettling: () => void,
): Promise<boolean> {
  const { instanceId, lane, fence, rowId, messageId, chat } = claim
  for (let pauseMs = FIRST_SETTLE_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_SETTLE_PAUSE_MS)) {
    try {
      const settled = deps.store.settleSend({
        instanceId,
        lane,
        fence,
        rowId,
        messageId,
        chat,
        now: deps.clock(),
        ...end,
      })
      onSettling()
      return await settled
    } catch (err) {
      deps.logger.warn({ err, messageId }, 'send worker: send outcome not saved; retrying')
    }
    if (stopping.aborted) return false
    await pause(pauseMs, undefined, { signal: stopping }).catch(() => undefined)
  }
}

export function startSendWorker(deps: SendWorkerDeps): SendWorker {
  const owner = randomUUID()
  const inFlight = new Map<string, Promise<boolean>>()
  /** Claims that failed since the last recovery. They may have locked lanes that no run works on. */
  let lostClaims = 0
  /** A commit that may claim for this worker is under way. */
  let joined: PromiseWithResolvers<void> | undefined
  const faults: Faults = createBoundedMap(MAX_FAULTS)
  const { lockMs = LOCK_MS, timers = realTimers } = deps
  const locks = createLaneLocks({ ...deps, lockMs, timers })
  const graceOver = new AbortController()

  /** Polls while the outcome is being saved, so that the next claim can share its commit. Some stores let that commit claim. */
  const onReleasing = deps.store.offerClaim ? doNothing : () => loop.wake()
  const nextRequest = (now: number): ClaimRequest => ({
    owner,
    nodeId: deps.nodeId,
    now,
    lockMs,
    limit: CLAIM_SIZE,
    perInstance: deps.perInstance,
    runLength: RUN_LENGTH,
  })

  function startRuns(claimed: ClaimedSend[], { now }: ClaimRequest): Found {
    const runs = Map.groupBy(claimed, ({ lane }) => lane)
    for (const [lane, run] of runs) {
      const lock = locks.hold(run[0] as ClaimedSend, now + lockMs)
      const held = { lock, graceOver: graceOver.signal }
      track(lane, sendRun(deps, faults, run, held, onReleasing).finally(lock.release))
    }
    return runs.size === CLAIM_SIZE ? 'more' : 'all'
  }

  const loop = startWakeLoop({
    async poll() {
      // The time of the claim is read first: no lock of this process expires between its renewal and the claim.
      const now = deps.clock()
      await locks.renewDue()
      if (lostClaims > 0) await freeLost()
      const request = nextRequest(now)
      try {
        return startRuns(await deps.store.claimSends(request), request)
      } catch (err) {
        lostClaims += 1
        throw err
      }
    },
    nextDueAt: () => nextDueAt(deps.store.db, deps.clock(), deps.nodeId),
    clock: deps.clock,
    timers,
    maxSleepMs: deps.maxSleepMs,
    onError: (err) => deps.logger.warn({ err }, 'send worker: could not claim sends; retrying'),
  })

  /** A lane that a commit has just claimed is not lost: `joined` ends when its run is in flight. */
  async function freeLost(): Promise<void> {
    const found = lostClaims
    await joined?.promise
    await freeLanesOf(deps.store, owner, [...inFlight.keys()])
    lostClaims -= found
  }

  /** Commits that accept a send, or release a lane, claim at once, where the engine can. */
  const withdraw = deps.store.offerClaim?.('claimSends', {
    wants() {
      const now = deps.clock()
      // A lock that expires is renewed before the next claim, which would take its lane.
      if (lostClaims > 0 || joined || locks.isAnyDue()) return undefined
      joined = Promise.withResolvers()
      return nextRequest(now)
    },
    take(claimed, request) {
      const found = startRuns(claimed, request)
      joined?.resolve()
      joined = undefined
      if (found === 'more') loop.wake()
    },
    failed() {
      lostClaims += 1
      joined?.resolve()
      joined = undefined
      loop.wake()
    },
    missed: () => loop.wake(),
  })

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
      withdraw?.()
      locks.abort()
      const grace = setTimeout(() => graceOver.abort(), GRACE_MS)
      // A claim that is under way is requeued too; otherwise its lanes would stay locked for the next process.
      await loop.stop()
      await joined?.promise
      await Promise.allSettled(inFlight.values())
      locks.close()
      clearTimeout(grace)
    },
  }
}
