// The send worker: claims due lanes, sends their first messages in order, and saves the outcome of each.

import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { startWakeLoop } from '../../async/wake-loop.ts'
import type { FailureReason } from '../../contract/sending.ts'
import type { Tracer } from '../../domain/tracer.ts'
import { afterUnexpected, handedBack } from '../../rules/send-failure.ts'
import type { SendOutcome } from '../../rules/settle-send.ts'
import type { ClaimedSend } from '../../store/operations/claim/types.ts'
import type { SettleRequest } from '../../store/operations/settle/types.ts'
import { freeLanesOf, makeLanesDue, nextDueAt } from '../../store/queries/lanes.ts'
import type { Store } from '../../store/store.ts'
import { type SendDeps, sendClaimed } from './send-one.ts'

/** Longer than the longest typing delay and the longest wait for an acknowledgement together. */
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
  /** How many lanes of one instance are worked on at the same time. */
  perInstance: number
  /** One try has ended; `reason` is that of a failure. */
  observe(outcome: SendOutcome['kind'], seconds: number, reason?: FailureReason): void
  /** Absent while tracing is off. */
  trace?: Tracer | undefined
  /** Changes each time all lanes of the instance were made due: its session opened, or its restriction ended. */
  wakeCount(instanceId: number): number
}

/** How often each message, by row id, met an unexpected error. Entries of deleted and expired messages are never removed one by one. */
type Faults = Map<number, number>
const MAX_FAULTS = 10_000

function unexpectedFailure(
  deps: SendWorkerDeps,
  faults: Faults,
  { rowId, messageId }: ClaimedSend,
  err: unknown,
): SendOutcome {
  const met = (faults.get(rowId) ?? 0) + 1
  if (faults.size >= MAX_FAULTS) faults.clear()
  faults.set(rowId, met)
  const outcome = afterUnexpected(met, deps.clock())
  const next = outcome.kind === 'retry' ? 'retrying' : 'the message is failed'
  deps.logger.error({ err, messageId, met }, `send worker: unexpected error; ${next}`)
  return outcome
}

interface Stopping {
  /** No further message is handed to the network. */
  signal: AbortSignal
  /** The grace period is over: messages without an acknowledgement are handed back. */
  graceOver: AbortSignal
}

/** Ends when the grace period does: without that, a silent socket would delay the stop by the whole acknowledgement timeout. */
async function outcomeOf(
  deps: SendWorkerDeps,
  faults: Faults,
  claim: ClaimedSend,
  { signal, graceOver }: Stopping,
): Promise<SendOutcome> {
  const over = Promise.withResolvers<SendOutcome>()
  const handBack = () => over.resolve(handedBack(deps.clock()))
  graceOver.addEventListener('abort', handBack)
  try {
    const sending = sendClaimed(deps, claim, signal).catch((err: unknown) =>
      unexpectedFailure(deps, faults, claim, err),
    )
    return await Promise.race([sending, over.promise])
  } finally {
    graceOver.removeEventListener('abort', handBack)
  }
}

async function observedOutcome(
  deps: SendWorkerDeps,
  faults: Faults,
  claim: ClaimedSend,
  stopping: Stopping,
): Promise<SendOutcome> {
  const mark = performance.now()
  const started = deps.trace?.start()
  const outcome = await outcomeOf(deps, faults, claim, stopping)
  const reason = outcome.kind === 'failed' ? outcome.reason : undefined
  deps.observe(outcome.kind, (performance.now() - mark) / 1000, reason)
  if (started) deps.trace?.send(started, claim, outcome)
  return outcome
}

/** Sends the messages of one lane in order. The outcome of one is saved while the next is sent; the last one releases the lane. */
async function sendRun(
  deps: SendWorkerDeps,
  faults: Faults,
  run: ClaimedSend[],
  stopping: Stopping,
  onReleasing: () => void,
): Promise<void> {
  const startedAt = deps.clock()
  let settled: Promise<boolean> = Promise.resolve(true)
  for (const claim of run) {
    const wakeCount = deps.wakeCount(claim.instanceId)
    const outcome = await observedOutcome(deps, faults, claim, stopping)
    if (outcome.kind !== 'retry') faults.delete(claim.rowId)
    const isLast = claim === run.at(-1) || deps.clock() - startedAt >= RUN_MS
    const release = isLast || outcome.kind === 'retry' || stopping.signal.aborted
    // False: another process has claimed the lane since.
    if (!(await settled)) return
    settled = settle(deps, claim, { outcome, release }, stopping.signal, release ? onReleasing : doNothing)
    if (!release) continue
    await settled
    // The lanes were made due while this message was being sent, before its retry was saved: make this lane due again.
    if (outcome.kind === 'retry' && deps.wakeCount(claim.instanceId) !== wakeCount)
      await makeLanesDue(deps.store, claim.instanceId, deps.clock())
    return
  }
}

const doNothing = (): void => undefined

/**
 * Retries while the store is unavailable: a message whose outcome is known must not be sent a second time. Gives up when the
 * lane's lock has expired or the process stops; then the message is sent again under the same id.
 */
async function settle(
  deps: SendWorkerDeps,
  claim: ClaimedSend,
  end: Pick<SettleRequest, 'outcome' | 'release'>,
  stopping: AbortSignal,
  onSettling: () => void,
): Promise<boolean> {
  const { instanceId, lane, fence, rowId, messageId, chat } = claim
  const giveUpAt = deps.clock() + LOCK_MS
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
    if (stopping.aborted || deps.clock() >= giveUpAt) return false
    await pause(pauseMs, undefined, { signal: stopping }).catch(() => undefined)
  }
}

export function startSendWorker(deps: SendWorkerDeps): SendWorker {
  const owner = randomUUID()
  const inFlight = new Map<string, Promise<void>>()
  /** The last claim failed. It may have locked lanes that no run works on. */
  let claimLost = false
  const faults: Faults = new Map()
  const stopping = new AbortController()
  const graceOver = new AbortController()
  // Each message in flight adds a listener.
  setMaxListeners(0, stopping.signal, graceOver.signal)
  const signals: Stopping = { signal: stopping.signal, graceOver: graceOver.signal }

  /** Polls while the outcome is being saved, so that the next claim can share its commit. */
  const onReleasing = () => loop.wake()

  const loop = startWakeLoop({
    async poll() {
      const { perInstance, nodeId } = deps
      const request = {
        owner,
        nodeId,
        now: deps.clock(),
        lockMs: LOCK_MS,
        limit: CLAIM_SIZE,
        perInstance,
        runLength: RUN_LENGTH,
      }
      if (claimLost) await freeLanesOf(deps.store, owner, [...inFlight.keys()])
      claimLost = true
      const claimed = await deps.store.claimSends(request)
      claimLost = false
      const runs = Map.groupBy(claimed, ({ lane }) => lane)
      for (const [lane, run] of runs) track(lane, sendRun(deps, faults, run, signals, onReleasing))
      return runs.size === CLAIM_SIZE ? 'more' : 'all'
    },
    nextDueAt: () => nextDueAt(deps.store.db, deps.clock(), deps.nodeId),
    clock: deps.clock,
    onError: (err) => deps.logger.warn({ err }, 'send worker: could not claim sends; retrying'),
  })

  function track(lane: string, running: Promise<void>): void {
    inFlight.set(lane, running)
    void running.finally(() => {
      // The lane was claimed again: a later run has replaced this one.
      if (inFlight.get(lane) !== running) return
      inFlight.delete(lane)
      // The lane is free, and its next message may be due.
      loop.wake()
    })
  }

  return {
    wake: loop.wake,
    async stop() {
      stopping.abort()
      const grace = setTimeout(() => graceOver.abort(), GRACE_MS)
      // A claim that is under way is handed back too; otherwise its lanes would stay locked for the next process.
      await loop.stop()
      await Promise.allSettled(inFlight.values())
      clearTimeout(grace)
    },
  }
}
