// Publishes events to the brokers of destinations: one attempt of a delivery, in place of the post to a webhook (decision 0161).

import type { DestinationToUse, EventAttempt, EventToPublish, PublishEvent } from '../../context.ts'
import { DESTINATION_TYPES } from '../../contract/destination-types.ts'
import { eventId, toEventBody } from '../../events/rules-body.ts'
import type { Timers } from '../../kernel/async/timers.ts'
import type { Outbound } from '../../kernel/outbound/client.ts'
import type { SocketGuard } from '../../kernel/outbound/socket-guard.ts'
import { TargetRefused } from '../../kernel/outbound/target.ts'
import type { BridgeEvent, DeliveryBridges } from '../delivery-format.ts'
import type { DestinationOptions } from '../rules-destination-options.ts'
import { type FindOwners, keepConnections } from './connections.ts'
import { sentenceOf } from './failures.ts'
import { BrokerError, headersOf, type Published } from './publisher.ts'
import { TRANSPORTS } from './transports.ts'

/** The whole attempt: connection, backoff and confirmation. As for webhooks, and less than the lock of a delivery. */
const ATTEMPT_MS = 15_000
/** Brokers have limits of their own; the usual ones are not lower. */
const MAX_MESSAGE_BYTES = 1024 * 1024

export interface DestinationParts {
  outbound: Pick<Outbound, 'brokers' | 'post'>
  clock: () => number
  forSignatures: () => number
  timers?: Timers
  attemptMs?: number
  findOwners: FindOwners
}

export interface Destinations {
  publishEvent: PublishEvent
  /** By type, for the worker that delivers. */
  bridges: DeliveryBridges
  /** Closes the connections of destinations that were deleted or disabled. */
  review(): Promise<void>
  /** Closes the connections. */
  close(): void
}

export function createDestinations(parts: DestinationParts): Destinations {
  const { clock, findOwners, attemptMs = ATTEMPT_MS } = parts
  const connections = keepConnections({ clock, findOwners, ...(parts.timers && { timers: parts.timers }) })

  async function publish(
    destination: DestinationToUse,
    event: EventToPublish,
    signal: AbortSignal,
  ): Promise<Published> {
    const { id, type, url, options } = destination
    const sentBytes = Buffer.byteLength(event.body)
    if (sentBytes > MAX_MESSAGE_BYTES) throw new BrokerError('The event is longer than 1 MiB.')
    const { brokers, post } = parts.outbound
    // Again at each attempt: the operator's list may have changed.
    const target = brokers.check(type, url)
    if (target instanceof TargetRefused) throw target
    const settings = JSON.stringify([type, url, options])
    const open = async (guard: SocketGuard) => {
      const openPublisher = await TRANSPORTS[type]()
      const { forSignatures } = parts
      return openPublisher({ destination, target, brokers, post, forSignatures, guard })
    }
    return connections.use({ id, settings, open, sentBytes }, signal, (publisher) =>
      publisher.publish(event, signal),
    )
  }

  const publishEvent: PublishEvent = async (destination, event, stopping) => {
    const at = clock()
    const limit = AbortSignal.timeout(attemptMs)
    const signal = stopping ? AbortSignal.any([stopping, limit]) : limit
    const verdict = await publish(destination, event, signal).then(confirmed, (error: unknown) =>
      failed(error, signal, stopping?.aborted ?? false),
    )
    return { at, headers: headersOf(event), ...verdict, durationMs: clock() - at }
  }

  const bridgeOf =
    (type: DestinationToUse['type']): BridgeEvent =>
    (event, { id, url, options }, signal) =>
      publishEvent(
        { id, type, url, options: options as DestinationOptions },
        {
          id: eventId(event.account_id, event.position),
          event: event.name,
          instance: event.api_name,
          displayName: event.display_name,
          at: event.created_at,
          body: JSON.stringify(toEventBody(event)),
        },
        signal,
      )

  return {
    publishEvent,
    bridges: Object.fromEntries(DESTINATION_TYPES.map((type) => [type, bridgeOf(type)])),
    review: connections.review,
    close: connections.close,
  }
}

type Verdict = Omit<EventAttempt, 'at' | 'durationMs' | 'headers'>

const confirmed = ({ answer, status }: Published): Verdict => ({
  status: status ?? null,
  answer,
  error: null,
  isStopped: false,
  isGone: false,
  retryAfterMs: undefined,
  isConfirmed: true,
})

const failed = (error: unknown, signal: AbortSignal, isStopped: boolean): Verdict => ({
  status: error instanceof BrokerError ? error.status : null,
  answer: null,
  error: sentenceOf(error, signal),
  isStopped,
  isGone: false,
  retryAfterMs: error instanceof BrokerError ? error.retryAfterMs : undefined,
})
