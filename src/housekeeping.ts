// Once an hour, and at the start: what has served its time is taken out of the store.
import * as oldRows from './store/queries/old-rows.ts'
import type { Store } from './store/store.ts'

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS

const KEPT_MS = {
  idempotencyKeys: DAY_MS,
  /** In case the network delivers a message again. */
  arrivals: DAY_MS,
  /** In case a phone could not read a message and asks again. */
  sentPayloads: 7 * DAY_MS,
  knownNumbers: 30 * DAY_MS,
  /** Decisions 8. */
  deliveries: 14 * DAY_MS,
  events: 14 * DAY_MS,
}

export type Removed = Record<keyof typeof KEPT_MS, number>

export async function tidyUp(store: Pick<Store, 'db'>, now: number): Promise<Removed> {
  const { db } = store
  return {
    idempotencyKeys: await oldRows.forgetIdempotencyKeys(db, now - KEPT_MS.idempotencyKeys),
    arrivals: await oldRows.forgetArrivals(db, now - KEPT_MS.arrivals),
    sentPayloads: await oldRows.forgetSentPayloads(db, now - KEPT_MS.sentPayloads),
    knownNumbers: await oldRows.forgetKnownNumbers(db, now - KEPT_MS.knownNumbers),
    // Deliveries first: an event stays as long as one of them carries it.
    deliveries: await oldRows.forgetDeliveries(db, now - KEPT_MS.deliveries),
    events: await oldRows.forgetEvents(db, now - KEPT_MS.events),
  }
}

export function startHousekeeping(
  store: Pick<Store, 'db'>,
  clock: () => number,
  log: { warn(fields: object, words: string): void },
): { stop(): Promise<void> } {
  let running: Promise<unknown> = Promise.resolve()
  const pass = () => {
    running = running
      .then(() => tidyUp(store, clock()))
      .catch((err: unknown) => log.warn({ err }, 'old rows could not be removed; the next try is in an hour'))
  }
  pass()
  const timer = setInterval(pass, HOUR_MS)
  timer.unref()
  return {
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}
