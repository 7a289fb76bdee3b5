// Publishes events to the brokers of destinations: one attempt of a delivery, in place of the post to a webhook (decision 0161).
import type { DestinationToUse, EventAttempt, EventToPublish, PublishEvent } from '../../context.ts'
import { DESTINATION_TYPES, type DestinationType } from '../../contract/destination-types.ts'
import { eventId, toEventBody } from '../../events/rules.ts'
import type { Timers } from '../../kernel/async/timers.ts'
import type { Outbound } from '../../kernel/outbound/client.ts'
import {
  type FailureKind,
  failureOf,
  OutboundError,
  sentenceOfFailure,
} from '../../kernel/outbound/failure.ts'
import type { SocketGuard } from '../../kernel/outbound/socket-guard.ts'
import { TargetRefused } from '../../kernel/outbound/target.ts'
import type { BridgeEvent, DeliveryBridges } from '../delivery-format.ts'
import type { DestinationOptions } from '../rules-destination-options.ts'
import { type FindOwners, keepConnections } from './connections.ts'
import { BrokerError, headersOf, type OpenPublisher, type Published } from './publisher.ts'

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

// The transport of each type of destination. Each one loads its library, so that a gateway without destinations loads none.
export const TRANSPORTS: Readonly<Record<DestinationType, () => Promise<OpenPublisher>>> = {
  rabbitmq: async () => (await import('./rabbitmq.ts')).openRabbitmq,
  nats: async () => (await import('./nats.ts')).openNats,
  mqtt: async () => (await import('./mqtt.ts')).openMqtt,
  redis: async () => (await import('./redis.ts')).openRedis,
  sqs: async () => (await import('./sqs.ts')).openSqs,
}

// Why a message was not confirmed: a sentence for callers that contains no address and no text of the broker.

const UNREACHABLE = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'EADDRNOTAVAIL'])
const RESET = new Set(['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT'])
const CERTIFICATE = /^(?:CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|EPROTO$)/
/** Names and codes of errors, which are words of a library and not of the broker. */
const WORD = /^[A-Za-z][A-Za-z0-9_-]{2,40}$/

export function sentenceOf(error: unknown, signal: AbortSignal): string {
  if (error instanceof BrokerError) return error.message
  if (error instanceof OutboundError && error.kind !== 'protocol') return failureOf(error, NEVER).message
  if (error instanceof TargetRefused) return sentenceOfFailure('not_allowed')
  if (signal.aborted) return 'The broker did not confirm the message in time.'
  const code = codeOf(error)
  const kind = kindOf(code)
  if (kind) return sentenceOfFailure(kind) + (kind === 'tls' ? ` (${code})` : '')
  const word = WORD.test(code) ? code : nameOf(error)
  return `The connection to the broker failed${word === '' ? '' : ` (${word})`}.`
}

const NEVER = new AbortController().signal

function kindOf(code: string): FailureKind | undefined {
  if (UNREACHABLE.has(code)) return 'connect'
  if (RESET.has(code)) return 'reset'
  return CERTIFICATE.test(code) ? 'tls' : undefined
}

/** A connection to several addresses of one host fails with one error for each of them. */
function codeOf(error: unknown): string {
  const { code, errors, cause } = (error ?? {}) as { code?: unknown; errors?: unknown; cause?: unknown }
  if (typeof code === 'string') return code
  if (Array.isArray(errors) && errors.length > 0) return codeOf(errors[0])
  return cause instanceof Error ? codeOf(cause) : ''
}

const nameOf = (error: unknown): string =>
  error instanceof Error && error.name !== 'Error' && WORD.test(error.name) ? error.name : ''
