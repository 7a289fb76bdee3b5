// An event as callers and receivers see it.
import { BATCH_EVENT } from '../contract/event-batch.ts'
import type { Event } from '../contract/events.ts'
import { instanceNames } from '../instances/rules-names.ts'
import { iso } from '../kernel/time.ts'

/** A row of the event log, with the names of its instance. */
export interface LoggedEventRow {
  account_id: number
  position: number
  name: string
  created_at: number
  sequence: number
  instance_id: number
  display_name: string
  api_name: string
  /** The payload as JSON. */
  data: string
}

/** Built from values that never change, so that every attempt and every read gives the same id. */
export const eventId = (accountId: number, position: number): string => `evt_${accountId}_${position}`

/** The body of a request with several events, each as it would be posted alone. */
export const toBatchBody = (id: string, events: readonly object[]) => ({ id, event: BATCH_EVENT, events })

/** The body of a delivery. It is built from the row each time, with the same result each time. */
export const toEventBody = (row: LoggedEventRow): Event =>
  ({
    id: eventId(row.account_id, row.position),
    event: row.name,
    timestamp: iso(row.created_at),
    sequence: row.sequence,
    instance: { id: row.instance_id, ...instanceNames(row) },
    data: JSON.parse(row.data) as unknown,
  }) as Event
