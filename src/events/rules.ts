// An event as callers and receivers see it, and which webhooks get a delivery of it.
import { BATCH_EVENT } from '../contract/event-batch.ts'
import type { Event, EventName } from '../contract/events.ts'
import type { Direction } from '../contract/messages.ts'
import type { WebhookChats } from '../contract/webhook-filter.ts'
import { instanceNames } from '../instances/rules.ts'
import { iso } from '../kernel/time.ts'
import type { EventRoute } from './rules-route.ts'

// An event as callers and receivers see it.

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

// The rule for the fan-out of events: which webhooks get a delivery of an event. Both engines apply it in SQL, in the transaction
// that writes the event, and the conformance suite compares them with this function.

/** Subscribes a webhook to every event. */
const ALL_EVENTS = '*'

export interface Subscription extends RouteFilter {
  accountId: number
  /** Null: all instances of the account. */
  instanceId: number | null
  /** Names of events, or `*`. */
  events: readonly string[]
  enabled: boolean
}

/** The filter of a webhook. Null: everything passes. */
export interface RouteFilter {
  chats: WebhookChats
  /** Numbers, in every form that the network may use. */
  senders: readonly string[] | null
  direction: Direction | null
  /** Whether messages from the history are delivered. */
  history: boolean
}

export interface LoggedEvent extends EventRoute {
  accountId: number
  instanceId: number
  name: EventName
}

/** A disabled webhook gets no new delivery. Deliveries from before it was disabled wait until it is enabled again. */
export const wantsEvent = (webhook: Subscription, event: LoggedEvent): boolean =>
  webhook.enabled &&
  webhook.accountId === event.accountId &&
  (webhook.instanceId === null || webhook.instanceId === event.instanceId) &&
  (webhook.events.includes(ALL_EVENTS) || webhook.events.includes(event.name)) &&
  passesFilter(webhook, event)

/**
 * An event without a chat passes the filters of chats and senders, and one without a direction that of directions. An event of a chat
 * whose sender is not known does not pass a list of senders.
 */
export const passesFilter = (filter: RouteFilter, event: EventRoute): boolean =>
  (filter.chats === 'all' || event.chatKind === null || event.chatKind === filter.chats) &&
  (filter.senders === null ||
    event.chatKind === null ||
    (event.sender !== null && filter.senders.includes(event.sender))) &&
  (filter.direction === null || event.direction === null || event.direction === filter.direction) &&
  (filter.history || !event.historical)
