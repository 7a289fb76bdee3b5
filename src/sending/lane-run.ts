// Sends the messages of one claim of a lane, in order, and saves the outcome of each.
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { FailureReason } from '../contract/sending.ts'
import { type BoundedMap, createBoundedMap } from '../kernel/async/bounded-map.ts'
import { type EntryName, entryName } from '../kernel/async/entry-name.ts'
import type { Timers } from '../kernel/async/timers.ts'
import { onAbort } from '../kernel/async/waiting.ts'
import type { Store } from '../store/store.ts'
import type { Tracer } from '../tracer.ts'
import { type LaneLock, OverdueError } from './lane-locks.ts'
import type { ClaimedSend, SettleRequest } from './outbox.ts'
import { makeLanesDue } from './queue-queries.ts'
import { afterUnexpected, requeued } from './rules.ts'
import type { SendOutcome } from './rules-settle-send.ts'
import { type SendDeps, sendClaimed } from './send-one.ts'

/** What the send worker needs from outside. */
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

const RUN_MS = 1000
const FIRST_SETTLE_PAUSE_MS = 100
const LONGEST_SETTLE_PAUSE_MS = 5000

/** How often each message, by row id, met an unexpected error. Entries of deleted and expired messages are never removed one by one. */
export type FaultCounts = BoundedMap<EntryName<'message'>, number>
const MAX_FAULTS = 10_000

export const createFaultCounts = (): FaultCounts => createBoundedMap<EntryName<'message'>, number>(MAX_FAULTS)

function unexpectedFailure(
  deps: SendWorkerDeps,
  faults: FaultCounts,
  { rowId, messageId }: ClaimedSend,
  err: unknown,
): SendOutcome {
  const message = entryName('message', rowId)
  const met = (faults.get(message) ?? 0) + 1
  faults.set(message, met)
  const outcome = afterUnexpected(met, deps.clock())
  const next = outcome.kind === 'retry' ? 'retrying' : 'the message is failed'
  deps.logger.error({ err, messageId, met }, `send worker: unexpected error; ${next}`)
  return outcome
}

/** What a run of messages is sent under. */
export interface Held {
  /** Once its signal is aborted, no further message is handed to the network. */
  lock: LaneLock
  /** The grace period is over: messages without an acknowledgement are requeued. */
  graceOver: AbortSignal
}

/** Ends when the grace period does: without that, a silent socket would delay the stop by the whole acknowledgement timeout. */
async function outcomeOf(
  deps: SendWorkerDeps,
  faults: FaultCounts,
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
  faults: FaultCounts,
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
export async function sendRun(
  deps: SendWorkerDeps,
  faults: FaultCounts,
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
    if (outcome.kind !== 'retry') faults.delete(entryName('message', claim.rowId))
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

export const doNothing = (): void => undefined

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
