// Traces over OTLP/HTTP: the tracer, the exporter, and the client of the collector. Loaded only while tracing is on.

import {
  type CollectorAnswer,
  type CollectorClientOptions,
  createCollectorClient,
} from '../kernel/outbound/collector-client.ts'
import type { Tracer } from '../tracer.ts'
import { parseRetryAfter } from '../webhooks/rules-retry-schedule.ts'
import { type ExporterDeps, type ExportResult, startExporter } from './exporter.ts'
import { encodeSpans, type Span, type TracedResource } from './otlp.ts'
import { createTracer } from './tracer.ts'

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
