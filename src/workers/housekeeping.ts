// Removes old rows from the store, at the start and every hour.
import * as oldRows from '../store/queries/old-rows.ts'
import type { Store } from '../store/store.ts'

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS

const KEPT_MS = {
  idempotencyKeys: DAY_MS,
  /** Needed when the network delivers a message again. */
  arrivals: DAY_MS,
  /** Needed when a phone could not decrypt a message and requests it again. */
  sentPayloads: 7 * DAY_MS,
  knownNumbers: 30 * DAY_MS,
  deliveries: 14 * DAY_MS,
  events: 14 * DAY_MS,
}

export type Removed = Record<keyof typeof KEPT_MS, number>

export async function tidyUp(store: Pick<Store, 'db' | 'engine'>, now: number): Promise<Removed> {
  return {
    idempotencyKeys: await oldRows.deleteOldIdempotencyKeys(store, now - KEPT_MS.idempotencyKeys),
    arrivals: await oldRows.deleteProcessedArrivals(store, now - KEPT_MS.arrivals),
    sentPayloads: await oldRows.deleteOldSentPayloads(store, now - KEPT_MS.sentPayloads),
    knownNumbers: await oldRows.deleteOldKnownNumbers(store, now - KEPT_MS.knownNumbers),
    // Deliveries first: an event is kept as long as one of them refers to it.
    deliveries: await oldRows.deleteOldDeliveries(store, now - KEPT_MS.deliveries),
    events: await oldRows.deleteOldEvents(store, now - KEPT_MS.events),
  }
}

/** Not started while the gateway is held: the operator may want to inspect all rows of a restored database. */
export function createHousekeeping(
  store: Pick<Store, 'db' | 'engine'>,
  clock: () => number,
  log: { warn(fields: object, message: string): void },
): { start(): void; stop(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<unknown> = Promise.resolve()
  const pass = () => {
    running = running
      .then(() => tidyUp(store, clock()))
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
      await running
    },
  }
}
