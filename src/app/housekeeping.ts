// Removes old rows from the store and prepares the partitions of the next days, at the start and every hour.
import { createSerialQueue } from '../kernel/async/locks.ts'
import { createDayPartitions, dropDayPartitions } from '../store/day-partitions.ts'
import * as oldRows from '../store/old-rows.ts'
import type { Store } from '../store/store.ts'

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS

const KEPT_MS = {
  idempotencyKeys: DAY_MS,
  /** Only the current day counts. */
  keyUsage: 2 * DAY_MS,
  /** The record of who decided. */
  approvals: 30 * DAY_MS,
  audit: 30 * DAY_MS,
  /** A month and the longest range of GET /statistics. */
  hourlyCounts: 32 * DAY_MS,
  /** Needed when the network delivers a message again. */
  arrivals: DAY_MS,
  /** Needed for a week when a phone could not decrypt a message and requests it again. It was sent up to a day after it was accepted. */
  sentPayloads: 8 * DAY_MS,
  knownNumbers: 30 * DAY_MS,
  calls: DAY_MS,
  /** Time for an operator to look at them. */
  setAside: 30 * DAY_MS,
  /** The network gives up a message that it cannot deliver before that. */
  arrivalDeaths: 30 * DAY_MS,
  deliveries: 14 * DAY_MS,
  events: 14 * DAY_MS,
}

/** Entries of the audit list of an account. */
const MAX_AUDIT = 100_000

export type Removed = Record<keyof typeof KEPT_MS | 'auditBeyond' | 'attempts' | 'partitions', number>

export async function tidyUp(store: Pick<Store, 'db' | 'engine'>, now: number): Promise<Removed> {
  // First, so that a day has its partition even if something else fails.
  if (store.engine === 'postgres') await createDayPartitions(store.db, now)
  const removed = {
    idempotencyKeys: await oldRows.deleteOldIdempotencyKeys(store, now - KEPT_MS.idempotencyKeys),
    keyUsage: await oldRows.deleteOldKeyUsage(store, now - KEPT_MS.keyUsage),
    approvals: await oldRows.deleteOldApprovals(store, now - KEPT_MS.approvals),
    audit: await oldRows.deleteOldAudit(store, now - KEPT_MS.audit),
    hourlyCounts: await oldRows.deleteOldCounts(store, now - KEPT_MS.hourlyCounts),
    auditBeyond: await oldRows.deleteAuditBeyond(store, MAX_AUDIT),
    arrivals: await oldRows.deleteProcessedArrivals(store, now - KEPT_MS.arrivals),
    sentPayloads: await oldRows.deleteOldSentPayloads(store, now - KEPT_MS.sentPayloads),
    knownNumbers: await oldRows.deleteOldKnownNumbers(store, now - KEPT_MS.knownNumbers),
    calls: await oldRows.deleteOldCalls(store, now - KEPT_MS.calls),
    setAside: await oldRows.deleteOldSetAside(store, now - KEPT_MS.setAside),
    arrivalDeaths: await oldRows.deleteOldDeaths(store, now - KEPT_MS.arrivalDeaths),
    // Deliveries first: an event is kept as long as one of them refers to it.
    deliveries: await oldRows.deleteOldDeliveries(store, now - KEPT_MS.deliveries),
    events: await oldRows.deleteOldEvents(store, now - KEPT_MS.events),
    // Attempts are shown with their delivery. Those of deliveries that are not finished stay.
    attempts: await oldRows.deleteOldAttempts(store, now - KEPT_MS.deliveries),
  }
  const before = {
    sent_payloads: now - KEPT_MS.sentPayloads,
    delivery_attempts: now - KEPT_MS.deliveries,
  }
  const partitions = store.engine === 'postgres' ? await dropDayPartitions(store.db, before) : 0
  return { ...removed, partitions }
}

/** Not started while the gateway is held: the operator may want to inspect all rows of a restored database. */
export function createHousekeeping(
  store: Pick<Store, 'db' | 'engine'>,
  clock: () => number,
  log: { warn(fields: object, message: string): void },
  /** False: another node does it. */
  isLead: () => boolean = () => true,
): { start(): void; stop(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined
  const passes = createSerialQueue()
  const pass = () => {
    void passes
      .run(() => (isLead() ? tidyUp(store, clock()) : undefined))
      .catch((err: unknown) =>
        log.warn({ err }, 'housekeeping: could not remove old rows; retrying in an hour'),
      )
  }
  return {
    start() {
      if (timer) return
      pass()
      timer = setInterval(pass, HOUR_MS).unref()
    },
    async stop() {
      clearInterval(timer)
      await passes.drained()
    },
  }
}
