// The rule for the fan-out of events: which webhooks get a delivery of an event. Both engines apply it in SQL, in the transaction
// that writes the event, and the conformance suite compares them with this function.
import type { EventName } from '../contract/events.ts'

/** Subscribes a webhook to every event. */
export const ALL_EVENTS = '*'

export interface Subscription {
  accountId: number
  /** Null: all instances of the account. */
  instanceId: number | null
  /** Names of events, or `*`. */
  events: readonly string[]
  enabled: boolean
}

export interface LoggedEvent {
  accountId: number
  instanceId: number
  name: EventName
}

/** A disabled webhook gets no new delivery. Deliveries from before it was disabled wait until it is enabled again. */
export const wantsEvent = (webhook: Subscription, event: LoggedEvent): boolean =>
  webhook.enabled &&
  webhook.accountId === event.accountId &&
  (webhook.instanceId === null || webhook.instanceId === event.instanceId) &&
  (webhook.events.includes(ALL_EVENTS) || webhook.events.includes(event.name))
