// The spans of a message: what each step reports, in the terms of the semantic conventions. No attribute contains a number, a name,
// a text, a key or a URL (decision 0105).

import { eventId } from '../events/rules-body.ts'
import type { Started, TracedMessage, Tracer } from '../tracer.ts'
import type { DueRow } from '../webhooks/deliveries-store.ts'
import type { Attributes, Span } from './otlp.ts'
import { idsOfEvent, idsOfMessage, newSpanId, type TraceIds } from './trace-ids.ts'
import { formatTraceparent, parseTraceparent } from './traceparent.ts'

type AddSpan = (span: Span) => void

export const createTracer = (clock: () => number, add: AddSpan): Tracer => ({
  start: () => ({ atMs: clock(), mark: performance.now() }),
  ...acceptedMessages(clock, add),
  ...sentMessages(add),
  ...receivedMessages(add),
  ...deliveries(clock, add),
})

function acceptedMessages(clock: () => number, add: AddSpan): Pick<Tracer, 'answered' | 'accept'> {
  return {
    answered(message, { method, route, status, elapsedMs, traceparent }) {
      const { traceId, secondId: spanId } = idsOf(message)
      add({
        traceId,
        spanId,
        parentId: undefined,
        link: parseTraceparent(traceparent),
        name: `${method} ${route}`,
        kind: 'server',
        startMs: clock() - elapsedMs,
        durationMs: elapsedMs,
        attributes: {
          ...attributesOf(message),
          'http.request.method': method,
          'http.route': route,
          'http.response.status_code': status,
        },
        isError: status >= 500,
      })
    },

    accept(started, { kind, isRequested, ...message }) {
      const { traceId, entryId: spanId, secondId } = idsOf(message)
      const parentId = isRequested ? secondId : undefined
      const attributes = { ...messaging('accept', 'create', message), 'switchboard.message.kind': kind }
      add({ traceId, spanId, parentId, name: 'accept', kind: 'producer', ...timesOf(started), attributes })
    },
  }
}

function sentMessages(add: AddSpan): Pick<Tracer, 'send' | 'receipt'> {
  return {
    send(started, { kind, tries, ...message }, outcome) {
      const attributes = {
        ...messaging('send', 'send', message),
        'switchboard.message.kind': kind,
        'switchboard.attempt': tries,
        'switchboard.outcome': outcome.kind,
        'error.type': outcome.kind === 'failed' ? outcome.reason : undefined,
      }
      const isError = outcome.kind === 'failed'
      add({ ...childOf(message), name: 'send', kind: 'client', ...timesOf(started), attributes, isError })
    },

    receipt(started, { status, ...message }) {
      const attributes = {
        ...messaging('receipt', 'settle', message),
        'switchboard.message.status': status,
      }
      add({ ...childOf(message), name: 'receipt', kind: 'consumer', ...timesOf(started), attributes })
    },
  }
}

function receivedMessages(add: AddSpan): Pick<Tracer, 'arrival'> {
  return {
    arrival(started, committing, { kind, events, ...message }) {
      const { traceId, entryId, secondId } = idsOf(message)
      const common = attributesOf(message)
      add({
        traceId,
        spanId: entryId,
        parentId: undefined,
        name: 'arrival',
        kind: 'consumer',
        ...timesOf(started),
        attributes: { ...messaging('arrival', 'process', message), 'switchboard.message.kind': kind },
      })
      add({
        traceId,
        spanId: secondId,
        parentId: entryId,
        name: 'event',
        kind: 'internal',
        ...timesOf(committing),
        attributes: { ...common, 'switchboard.event.names': events },
      })
    },
  }
}

function deliveries(clock: () => number, add: AddSpan): Pick<Tracer, 'delivery'> {
  return {
    delivery(webhookId, delivery) {
      const { traceId, parentId } = parentOf(delivery)
      const spanId = newSpanId()
      const startMs = clock()
      return {
        traceparent: formatTraceparent({ traceId, spanId }),
        end({ status, durationMs }, outcome) {
          const attributes = {
            ...deliveryAttributes(webhookId, delivery),
            'switchboard.outcome': outcome,
            'http.request.method': 'POST',
            'http.response.status_code': status ?? undefined,
            'error.type': outcome === 'delivered' ? undefined : String(status ?? 'no_answer'),
          }
          const isError = outcome !== 'delivered'
          const times = { startMs, durationMs }
          add({ traceId, spanId, parentId, name: 'delivery', kind: 'client', ...times, attributes, isError })
        },
      }
    },
  }
}

const idsOf = ({ instanceId, messageId }: TracedMessage): TraceIds => idsOfMessage(instanceId, messageId)

const childOf = (message: TracedMessage): Pick<Span, 'traceId' | 'spanId' | 'parentId'> => {
  const { traceId, entryId } = idsOf(message)
  return { traceId, spanId: newSpanId(), parentId: entryId }
}

const timesOf = ({ atMs, mark }: Started): Pick<Span, 'startMs' | 'durationMs'> => ({
  startMs: atMs,
  durationMs: performance.now() - mark,
})

const attributesOf = ({ instanceId, messageId }: TracedMessage): Attributes => ({
  'messaging.system': 'whatsapp',
  'messaging.message.id': messageId,
  'switchboard.instance.id': instanceId,
})

/** There is no `messaging.destination.name`: it would be a phone number. */
const messaging = (name: string, type: string, message: TracedMessage): Attributes => ({
  ...attributesOf(message),
  'messaging.operation.name': name,
  'messaging.operation.type': type,
})

/** The fields of an event that lead to its message. */
interface AboutMessage {
  messageId?: unknown
  direction?: unknown
  historical?: unknown
}

const aboutOf = ({ data }: Pick<DueRow, 'data'>): AboutMessage => JSON.parse(data) as AboutMessage

/**
 * A delivery belongs to the message that its event is about. The events of a received message are committed together and have a span
 * of their own. Messages of a history have no other spans, and neither have events without a message.
 */
function parentOf(delivery: DueRow): { traceId: string; parentId: string | undefined } {
  const { messageId, direction, historical } = aboutOf(delivery)
  if (typeof messageId !== 'string') {
    const { traceId } = idsOfEvent(delivery.account_id, delivery.position, delivery.created_at)
    return { traceId, parentId: undefined }
  }
  const { traceId, entryId, secondId } = idsOfMessage(delivery.instance_id, messageId)
  if (historical === true) return { traceId, parentId: undefined }
  return { traceId, parentId: direction === 'incoming' ? secondId : entryId }
}

const deliveryAttributes = (webhookId: number, delivery: DueRow): Attributes => ({
  'switchboard.instance.id': delivery.instance_id,
  'switchboard.event.id': eventId(delivery.account_id, delivery.position),
  'switchboard.event.name': delivery.name,
  'switchboard.webhook.id': webhookId,
  'switchboard.attempt': delivery.tries + 1,
})
