// Traces over OTLP/HTTP: the tracer, the exporter, and the client of the collector. Loaded only while tracing is on.

import { eventId } from '../events/rules.ts'
import { realTimers, type Timer, type Timers } from '../kernel/async/timers.ts'
import {
  type CollectorAnswer,
  type CollectorClientOptions,
  createCollectorClient,
} from '../kernel/outbound/collector-client.ts'
import type { Started, TracedMessage, Tracer } from '../tracer.ts'
import type { DueRow } from '../webhooks/deliveries-store.ts'
import { parseRetryAfter } from '../webhooks/rules.ts'
import { type Attributes, encodeSpans, type Span, type TracedResource } from './otlp.ts'
import { idsOfEvent, idsOfMessage, newSpanId, type TraceIds } from './trace-ids.ts'
import { formatTraceparent, parseTraceparent } from './traceparent.ts'

export interface TracingOptions
  extends CollectorClientOptions,
    Pick<ExporterDeps<Span>, 'count' | 'onFailure' | 'limits'> {
  resource: TracedResource
  clock: () => number
}

export interface Tracing {
  trace: Tracer
  /** Sends the spans that are left, for at most a second. Never rejects. */
  stop(): Promise<void>
}

/** The statuses that the protocol calls retryable. */
const BUSY = new Set([429, 502, 503, 504])

export function startTracing(options: TracingOptions): Tracing {
  const { resource, clock } = options
  const client = createCollectorClient(options)
  const exporter = startExporter<Span>({
    ...options,
    send: async (batch, signal) => resultOf(await client.post(encodeSpans(resource, batch), signal), clock()),
  })
  return {
    trace: createTracer(clock, exporter.add),
    async stop() {
      await exporter.stop()
      await client.close()
    },
  }
}

function resultOf(answer: CollectorAnswer, now: number): ExportResult {
  if ('failure' in answer) return { kind: 'unavailable', why: answer.failure }
  const { status, retryAfter } = answer
  if (status >= 200 && status < 300) return { kind: 'accepted' }
  const why = `The collector answered with status ${status}.`
  return BUSY.has(status)
    ? { kind: 'unavailable', why, retryAfterMs: parseRetryAfter(retryAfter, now) }
    : { kind: 'refused', why }
}

// Sends spans to the collector in batches. The buffer is bounded: what does not fit is dropped and counted. Nothing waits for it.

/** The answer of the collector. `unavailable` may change with a retry, `refused` does not. */
export type ExportResult =
  | { kind: 'accepted' }
  | { kind: 'refused'; why: string }
  | { kind: 'unavailable'; why: string; retryAfterMs?: number | undefined }

interface Exporter<S> {
  add(span: S): void
  /** Sends what is left, once and for a limited time. Never rejects. */
  stop(): Promise<void>
}

interface ExporterDeps<S> {
  /** Never rejects. */
  send(batch: readonly S[], signal: AbortSignal): Promise<ExportResult>
  count(outcome: 'exported' | 'dropped', spans: number): void
  /** The first failure after a success. The metrics count the others. */
  onFailure(why: string): void
  timers?: Timers
  limits?: Partial<ExporterLimits>
}

export interface ExporterLimits {
  /** Spans that wait, without the batch that is being sent. */
  buffer: number
  batch: number
  /** How long a span waits for others to share its request. */
  delayMs: number
  /** Tries of one batch. */
  tries: number
  firstPauseMs: number
  longestPauseMs: number
  /** How long the stop may take. */
  stopMs: number
}

const LIMITS: ExporterLimits = {
  buffer: 4096,
  batch: 512,
  delayMs: 2000,
  tries: 5,
  firstPauseMs: 1000,
  longestPauseMs: 30_000,
  stopMs: 1000,
}

export function startExporter<S>(deps: ExporterDeps<S>): Exporter<S> {
  const { count, timers = realTimers } = deps
  const limits = { ...LIMITS, ...deps.limits }
  const waiting: S[] = []
  const over = new AbortController()
  const pauses = createPauses(timers, limits)
  const sendBatch = createBatchSender(deps, limits, pauses, over.signal)
  let timer: Timer | undefined
  let sending: Promise<void> | undefined
  let isStopping = false

  /** Until the buffer has less than a batch. At the stop until it is empty, or a batch is lost. */
  async function sendAll(): Promise<void> {
    do {
      const isSent = await sendBatch(waiting.splice(0, limits.batch))
      if (isStopping && !isSent) break
    } while (waiting.length >= (isStopping ? 1 : limits.batch))
  }
  function start(): void {
    timers.clearTimeout(timer)
    timer = undefined
    sending = sendAll().finally(() => {
      sending = undefined
      if (waiting.length > 0 && !isStopping) schedule()
    })
  }
  function schedule(): void {
    timer ??= timers.setTimeout(start, limits.delayMs)
    timer.unref()
  }
  return {
    add(span) {
      if (isStopping || waiting.length >= limits.buffer) return count('dropped', 1)
      waiting.push(span)
      if (sending) return
      if (waiting.length >= limits.batch) start()
      else schedule()
    },
    async stop() {
      if (isStopping) return
      isStopping = true
      const limit = timers.setTimeout(() => over.abort(), limits.stopMs)
      pauses.end()
      timers.clearTimeout(timer)
      await sending
      if (waiting.length > 0) await sendAll()
      timers.clearTimeout(limit)
      if (waiting.length > 0) count('dropped', waiting.splice(0).length)
    },
  }
}

/** Sends a batch with retries. False: it is lost. After the end of the pauses there is only one try. */
function createBatchSender<S>(
  { send, count, onFailure }: ExporterDeps<S>,
  limits: ExporterLimits,
  pauses: Pauses,
  over: AbortSignal,
): (batch: S[]) => Promise<boolean> {
  return async (batch) => {
    for (let tries = 1; ; tries += 1) {
      const result = await send(batch, over)
      if (result.kind === 'accepted') {
        pauses.reset()
        count('exported', batch.length)
        return true
      }
      if (pauses.isFirst()) onFailure(result.why)
      const pauseMs = pauses.next(result.kind === 'unavailable' ? result.retryAfterMs : undefined)
      if (result.kind === 'refused' || tries >= limits.tries || pauses.isOver()) {
        count('dropped', batch.length)
        return false
      }
      await pauses.wait(pauseMs)
    }
  }
}

type Pauses = ReturnType<typeof createPauses>

/** Pauses that double with each failure, over all batches: a collector that is down is asked less and less often. */
function createPauses(timers: Timers, limits: Pick<ExporterLimits, 'firstPauseMs' | 'longestPauseMs'>) {
  let failures = 0
  let wake: (() => void) | undefined
  let isOver = false
  return {
    isFirst: (): boolean => failures === 0,
    isOver: (): boolean => isOver,
    reset: (): void => void (failures = 0),
    next(retryAfterMs = 0): number {
      const pauseMs = limits.firstPauseMs * 2 ** Math.min(failures, 20)
      failures += 1
      return Math.min(Math.max(pauseMs, retryAfterMs), limits.longestPauseMs)
    },
    async wait(ms: number): Promise<void> {
      const passed = Promise.withResolvers<void>()
      wake = passed.resolve
      const timer = timers.setTimeout(passed.resolve, ms)
      timer.unref()
      await passed.promise
      timers.clearTimeout(timer)
    },
    /** Ends the pause, and lets no further one begin. */
    end(): void {
      isOver = true
      wake?.()
    },
  }
}

// The spans of a message: what each step reports, in the terms of the semantic conventions. No attribute contains a number, a name,
// a text, a key or a URL (decision 0105).

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
