// The port of delivery formats: how an event is posted to a webhook that wants it in the form of another API.

import type { EventAttempt } from '../context.ts'
import type { LoggedEventRow } from '../events/rules.ts'
import type { WebhookSecrets } from './secrets.ts'

/** An event with what other forms show of its instance. */
export interface EventToFormat extends LoggedEventRow {
  /** Of the connected account. */
  own_number: string | null
  evolution_name: string | null
  /** Of the message that the event is about; null: there is none. */
  direction: string | null
}

export interface FormattedEvent {
  url: string
  body: string
  headers: Record<string, string>
  /** Headers that the owner of the webhook has set: their values are neither stored nor shown. */
  secretHeaders: Record<string, string>
}

export interface WebhookToFormat {
  url: string
  /** Of its format. */
  options: unknown
  /** For signatures that only this form has. */
  secrets: WebhookSecrets
}

/** Null: the event has no counterpart in this form, or the webhook does not want it. */
export type FormatEvent = (event: EventToFormat, webhook: WebhookToFormat) => Promise<FormattedEvent | null>

/** By the name of the format. */
export type DeliveryFormats = Readonly<Record<string, FormatEvent>>

/** Delivers an event by calls of its own in place of one post. It is repeated as every delivery is. Never rejects. */
export type BridgeEvent = (
  event: EventToFormat,
  webhook: { id: number; url: string; options: unknown },
  signal: AbortSignal,
) => Promise<EventAttempt>

/** By the name of the format. */
export type DeliveryBridges = Readonly<Record<string, BridgeEvent>>

/** Asks the other side of a bridge whether it would take events, and changes nothing there. By the name of the format. Never rejects. */
export type BridgeTests = Readonly<
  Record<string, (webhook: { url: string; options: unknown }) => Promise<EventAttempt>>
>
