// Spans in the JSON form of OTLP.
import type { SpanContext } from './traceparent.ts'

export type AttributeValue = string | number | readonly string[]
/** Undefined: the attribute is left out. */
export type Attributes = Record<string, AttributeValue | undefined>

export const SPAN_KINDS = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 } as const

export interface Span extends SpanContext {
  /** Undefined: the span has no parent. */
  parentId: string | undefined
  name: string
  kind: keyof typeof SPAN_KINDS
  startMs: number
  durationMs: number
  attributes: Attributes
  /** The span of another trace that led to this one. */
  link?: SpanContext | undefined
  isError?: boolean
}

export interface TracedResource {
  attributes: Attributes
  scope: { name: string; version: string }
}

const STATUS_ERROR = 2

export const encodeSpans = ({ attributes, scope }: TracedResource, spans: readonly Span[]): string =>
  JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: encodeAttributes(attributes) },
        scopeSpans: [{ scope, spans: spans.map(encodeSpan) }],
      },
    ],
  })

const encodeSpan = (span: Span) => ({
  traceId: span.traceId,
  spanId: span.spanId,
  ...(span.parentId === undefined ? {} : { parentSpanId: span.parentId }),
  name: span.name,
  kind: SPAN_KINDS[span.kind],
  startTimeUnixNano: nanoseconds(span.startMs),
  endTimeUnixNano: nanoseconds(span.startMs + span.durationMs),
  attributes: encodeAttributes(span.attributes),
  ...(span.link ? { links: [{ traceId: span.link.traceId, spanId: span.link.spanId }] } : {}),
  ...(span.isError ? { status: { code: STATUS_ERROR } } : {}),
})

/** As text, because a number of JSON does not hold so many digits. Exact to a microsecond. */
const nanoseconds = (ms: number): string => `${Math.round(ms * 1000)}000`

const encodeAttributes = (attributes: Attributes) =>
  Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: encodeValue(value) }],
  )

function encodeValue(value: AttributeValue): object {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'number') return { intValue: String(value) }
  return { arrayValue: { values: value.map((each) => ({ stringValue: each })) } }
}
