// The worker that empties the outbox: it claims lanes that are due, sends their first messages, and records what came of each.
import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { ClaimedSend, SendOutcome, SettleRequest } from '../store/lanes.ts'
import { freeLanesOf, hurryLanes, nextDueAt } from '../store/queries/lanes.ts'
import type { Store } from '../store/store.ts'
import { type DeliverDeps, deliver } from './deliver.ts'
import { startWakeLoop } from './wake-loop.ts'

/** Longer than the longest typing and the longest wait for the network's word together. */
const LOCK_MS = 180_000
const CLAIM_SIZE = 50
/** Messages of a chat under one hold: none but the last then waits for the commit of the one before it. Short, for the others' sake. */
const RUN_LENGTH = 4
const RUN_MS = 1000
const MAX_UNEXPECTED = 5
const UNEXPECTED_PAUSE_MS = 2000
const FIRST_SETTLE_PAUSE_MS = 100
const LONGEST_SETTLE_PAUSE_MS = 5000

export interface SendWorker {
  /** Something was accepted, or a session opened: look now. */
  wake(): void
  /** Takes no new work and waits for what is in flight. */
  stop(): Promise<void>
}

export interface SendWorkerDeps extends DeliverDeps {
  store: Store
  clock: () => number
  logger: Logger
  /** Lanes of one instance worked on at the same time. */
  perInstance: number
  /** How often everything that an instance has to send was made due: it opened, or may start chats again. */
  hurriesOf(instanceId: number): number
}

/** How often each message has met a fault of ours. */
type Faults = Map<number, number>

/** Perhaps it passes, but it must not hold up the chat for a day. */
function unexpected(deps: SendWorkerDeps, faults: Faults, claim: ClaimedSend, err: unknown): SendOutcome {
  const { rowId, messageId } = claim
  const met = (faults.get(rowId) ?? 0) + 1
  deps.logger.error({ err, messageId, met }, 'a send failed unexpectedly')
  faults.set(rowId, met)
  if (met < MAX_UNEXPECTED) return { kind: 'retry', at: deps.clock() + UNEXPECTED_PAUSE_MS }
  return { kind: 'failed', reason: 'internal', error: 'The message could not be sent.', code: null }
}

/** One after the other. What became of one is on its way to the disk while the next is sent; the hold goes with the last. */
async function work(
  deps: SendWorkerDeps,
  faults: Faults,
  run: ClaimedSend[],
  stopping: AbortSignal,
  onReleasing: () => void,
): Promise<void> {
  const startedAt = deps.clock()
  let settled: Promise<boolean> = Promise.resolve(true)
  for (const claim of run) {
    const hurries = deps.hurriesOf(claim.instanceId)
    const outcome = await deliver(deps, claim, stopping).catch((err: unknown) =>
      unexpected(deps, faults, claim, err),
    )
    if (outcome.kind !== 'retry') faults.delete(claim.rowId)
    const isLast = claim === run.at(-1) || deps.clock() - startedAt >= RUN_MS
    const release = isLast || outcome.kind === 'retry' || stopping.aborted
    // False: the lane is another's by now.
    if (!(await settled)) return
    settled = settle(deps, claim, { outcome, release }, stopping, release ? onReleasing : nothing)
    if (!release) continue
    await settled
    // It was on its way meanwhile: what it is put off for may have come already, and nobody tells of it twice.
    if (outcome.kind === 'retry' && deps.hurriesOf(claim.instanceId) !== hurries)
      await hurryLanes(deps.store.db, claim.instanceId, deps.clock())
    return
  }
}

const nothing = (): void => undefined

/**
 * Written again and again while the store is in trouble: an outcome that is known must not be found out anew by sending once
 * more. Given up when the lane's lock has run out, or the process is to end: then the message is tried again, under its id.
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
      deps.logger.warn({ err, messageId }, 'an outcome was not written yet')
    }
    if (stopping.aborted || deps.clock() >= giveUpAt) return false
    await pause(pauseMs, undefined, { signal: stopping }).catch(() => undefined)
  }
}

export function startSendWorker(deps: SendWorkerDeps): SendWorker {
  const owner = randomUUID()
  const inFlight = new Map<string, Promise<void>>()
  /** A claim whose answer was lost may have locked lanes that nobody works on. */
  let claimLost = false
  const faults: Faults = new Map()
  const stopping = new AbortController()
  // One listener for each message that is typing right now, however many.
  setMaxListeners(0, stopping.signal)

  /** Where settling and claiming share a commit, what stands behind the message is claimed with it. */
  const onReleasing = () => loop.wake()

  const loop = startWakeLoop({
    async look() {
      const { perInstance } = deps
      const request = {
        owner,
        now: deps.clock(),
        lockMs: LOCK_MS,
        limit: CLAIM_SIZE,
        perInstance,
        runLength: RUN_LENGTH,
      }
      if (claimLost) await freeLanesOf(deps.store.db, owner, [...inFlight.keys()])
      claimLost = true
      const claimed = await deps.store.claimSends(request)
      claimLost = false
      const runs = Map.groupBy(claimed, ({ lane }) => lane)
      for (const [lane, run] of runs) track(lane, work(deps, faults, run, stopping.signal, onReleasing))
      return runs.size === CLAIM_SIZE ? 'more' : 'all'
    },
    nextDueAt: () => nextDueAt(deps.store.db, deps.clock()),
    clock: deps.clock,
    onError: (err) => deps.logger.warn({ err }, 'the outbox cannot be read'),
  })

  function track(lane: string, running: Promise<void>): void {
    inFlight.set(lane, running)
    void running.finally(() => {
      // In work again by now: claimed with what settled it, or taken over where it was given up.
      if (inFlight.get(lane) !== running) return
      inFlight.delete(lane)
      // The lane is free again, and what stood behind the message may be due.
      loop.wake()
    })
  }

  return {
    wake: loop.wake,
    async stop() {
      stopping.abort()
      // What is being claimed right now must be given back, or its lane stays locked for the next process.
      await loop.stop()
      await Promise.allSettled(inFlight.values())
    },
  }
}
