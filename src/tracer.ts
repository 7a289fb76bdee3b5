// What the steps of a message report to the tracer. It is absent while tracing is off: callers use `trace?.`, which then costs nothing.
import type { SendOutcome } from './sending/rules-settle-send.ts'
import type { DueRow } from './webhooks/deliveries-store.ts'

/** When a step began: on the clock of the gateway, and on the monotonic one for its duration. */
export interface Started {
  atMs: number
  mark: number
}

/** Names the trace. Every step of a message derives the same trace id from it, also in another process. */
export interface TracedMessage {
  instanceId: number
  messageId: string
}

export interface TracedRequest {
  method: string
  route: string
  status: number
  elapsedMs: number
  /** The header as it came. */
  traceparent: string | undefined
}

export interface TracedDelivery {
  /** The header of the request to the receiver. */
  traceparent: string
  end(answer: { status: number | null; durationMs: number }, outcome: 'delivered' | 'retry' | 'dead'): void
}

export interface Tracer {
  start(): Started
  /** A request that was accepted as this message is answered. */
  answered(message: TracedMessage, request: TracedRequest): void
  /** `isRequested`: a caller asked for the message, and its request is a span of its own. */
  accept(started: Started, message: TracedMessage & { kind: string; isRequested: boolean }): void
  /** One try of the send worker. */
  send(started: Started, message: TracedMessage & { kind: string; tries: number }, outcome: SendOutcome): void
  /** A receipt that changed the status of the message. */
  receipt(started: Started, message: TracedMessage & { status: string }): void
  /** A received message is stored. `committing`: when the commit of message and events began. */
  arrival(
    started: Started,
    committing: Started,
    message: TracedMessage & { kind: string; events: readonly string[] },
  ): void
  /** One attempt of a delivery begins. An attempt that is cancelled is not ended, and has no span. */
  delivery(webhookId: number, delivery: DueRow): TracedDelivery
}
