// The scheduler: queues scheduled messages when they are due, and fails queued messages that have expired and sends that were not
// approved in time. It also asks owners about sends that wait for their approval on the phone.

import type { Logger } from 'pino'
import type { NewEvent } from '../events/rules-payloads.ts'
import { startWakeLoop, type WakeLoop } from '../kernel/async/wake-loop.ts'
import type { Store } from '../store/store.ts'
import type { Db } from '../store/tables.ts'
import type { Tracer } from '../tracer.ts'
import * as approvals from './approval-queries.ts'
import { askOnPhones, MAX_QUESTIONS } from './approvals.ts'
import * as scheduled from './queue-queries.ts'
import { APPROVAL_EXPIRED, EXPIRED, isLate } from './rules.ts'

/** The loop is woken with every accepted message, and few of them are scheduled. */
const IDLE_PAUSE_MS = 250

export interface SchedulerDeps {
  store: Store
  clock: () => number
  logger: Logger
  /** This node, if several may use the database: each schedules for the instances that it serves. */
  nodeId?: number | undefined
  /** How long it sleeps at most without a wake-up; absent: 5 s. */
  maxSleepMs?: (() => number) | undefined
  trace?: Tracer | undefined
  /** Messages were queued. */
  onQueued(): void
}

export function startScheduler(deps: SchedulerDeps): WakeLoop {
  const { store, clock, logger, nodeId, maxSleepMs, trace, onQueued } = deps
  const change = (instanceId: number, work: (tx: Db) => Promise<NewEvent[]>): Promise<number> =>
    store.instanceTransaction(instanceId, async (tx) => {
      const events = await work(tx)
      if (events.length > 0) await store.appendEvents(tx, events)
      return events.length
    })

  return startWakeLoop({
    async poll() {
      const now = clock()
      const late = (sendAt: number) => isLate(sendAt, now)
      const queued = await Promise.all(
        (await scheduled.listInstancesWithDue(store.db, now, nodeId)).map((id) =>
          change(id, (tx) => scheduled.enqueueDue(tx, id, now, late)),
        ),
      )
      if (queued.some((count) => count > 0)) onQueued()
      for (const id of await scheduled.listInstancesWithExpired(store.db, now, nodeId))
        await change(id, (tx) => scheduled.failExpired(tx, id, now, EXPIRED))
      for (const id of await approvals.listInstancesWithExpiredApprovals(store.db, now, nodeId))
        await change(id, (tx) => approvals.failExpiredApprovals(tx, id, now, APPROVAL_EXPIRED))
      const questions = await askOnPhones({ store, clock, trace, wakeSending: onQueued }, nodeId)
      if (questions === MAX_QUESTIONS || queued.some((count) => count === scheduled.MAX_DUE)) return 'more'
      return queued.length > 0 ? 'all' : 'nothing'
    },
    idlePauseMs: IDLE_PAUSE_MS,
    async nextDueAt() {
      const moments = [
        await scheduled.nextMoment(store.db, nodeId),
        await approvals.nextApprovalEnd(store.db, nodeId),
        await approvals.nextQuestion(store.db, nodeId),
      ].filter((moment) => moment !== undefined)
      return moments.length === 0 ? undefined : Math.min(...moments)
    },
    clock,
    maxSleepMs,
    onError: (err) => logger.warn({ err }, 'scheduler: could not queue scheduled messages; retrying'),
  })
}
