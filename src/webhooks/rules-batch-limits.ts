// What one request to a webhook with `batch` contains at most.
import { BATCH_LIMIT } from '../contract/event-batch.ts'

/** Payloads of one request, in characters: many receivers refuse bodies that are much larger. A single event may be longer. */
const MAX_PAYLOADS = 256 * 1024

/** The longest start of these events that fits into one request; at least one. */
export function fitting<T extends { data: string }>(events: readonly T[]): T[] {
  let size = 0
  const end = events.findIndex(({ data }, index) => {
    size += data.length
    return index > 0 && (index >= BATCH_LIMIT || size > MAX_PAYLOADS)
  })
  return events.slice(0, end === -1 ? events.length : end)
}

/** How many events of each lane are read for a request, so that each of the lanes is in it. */
export const perLane = (lanes: number): number => Math.max(1, Math.floor(BATCH_LIMIT / lanes))
