// The worker that empties the outbox: it claims lanes that are due, sends their first message, and records what came of it.
import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import type { Logger } from 'pino'
import type { ClaimedSend, SendOutcome } from '../store/lanes.ts'
import { nextDueAt } from '../store/queries/lanes.ts'
import type { Store } from '../store/store.ts'
import { type DeliverDeps, deliver } from './deliver.ts'
import { startWakeLoop } from './wake-loop.ts'

/** Longer than the longest typing and the longest wait for the network's word together. */
const LOCK_MS = 180_000
const CLAIM_SIZE = 50
const MAX_UNEXPECTED = 5
const UNEXPECTED_PAUSE_MS = 2000

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
}

/** A fault of ours: perhaps it passes, but it must not hold up the chat for a day. */
function unexpected(deps: SendWorkerDeps, claim: ClaimedSend, err: unknown): SendOutcome {
  deps.logger.error({ err, messageId: claim.messageId, tries: claim.tries }, 'a send failed unexpectedly')
  if (claim.tries < MAX_UNEXPECTED) return { kind: 'retry', at: deps.clock() + UNEXPECTED_PAUSE_MS }
  return { kind: 'failed', reason: 'internal', error: 'The message could not be sent.', code: null }
}

async function work(deps: SendWorkerDeps, claim: ClaimedSend, stopping: AbortSignal): Promise<void> {
  const outcome = await deliver(deps, claim, stopping).catch((err: unknown) => unexpected(deps, claim, err))
  const { instanceId, lane, fence, rowId, messageId, chat } = claim
  await deps.store
    .settleSend({ instanceId, lane, fence, rowId, messageId, chat, now: deps.clock(), outcome })
    .catch((err: unknown) =>
      deps.logger.error({ err }, 'an outcome was not written; the lane comes back by itself'),
    )
}

export function startSendWorker(deps: SendWorkerDeps): SendWorker {
  const owner = randomUUID()
  const inFlight = new Set<Promise<void>>()
  const stopping = new AbortController()
  // One listener for each message that is typing right now, however many.
  setMaxListeners(0, stopping.signal)

  const loop = startWakeLoop({
    async look() {
      const { perInstance } = deps
      const request = { owner, now: deps.clock(), lockMs: LOCK_MS, limit: CLAIM_SIZE, perInstance }
      const claimed = await deps.store.claimSends(request)
      for (const claim of claimed) track(work(deps, claim, stopping.signal))
      return claimed.length === CLAIM_SIZE
    },
    nextDueAt: () => nextDueAt(deps.store.db, deps.clock()),
    clock: deps.clock,
    onError: (err) => deps.logger.warn({ err }, 'the outbox cannot be read'),
  })

  function track(running: Promise<void>): void {
    inFlight.add(running)
    void running.finally(() => {
      inFlight.delete(running)
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
      await Promise.allSettled(inFlight)
    },
  }
}
