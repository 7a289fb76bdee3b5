// The rule for the fan-out of events: which webhooks get a delivery of an event. Both engines apply it in SQL, in the transaction
// that writes the event, and the conformance suite compares them with this function.
import type { EventName } from '../contract/events.ts'
import type { Direction } from '../contract/messages.ts'
import type { WebhookChats } from '../contract/webhook-filter.ts'
import type { EventRoute } from './rules-route.ts'

/** Subscribes a webhook to every event. */
export const ALL_EVENTS = '*'

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
