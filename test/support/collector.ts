// An OpenTelemetry collector on the loopback that keeps the spans that it receives.
import { until } from './linked.ts'
import { startWebHost } from './web-host.ts'

export interface ReceivedSpan {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  links?: { traceId: string; spanId: string }[]
  attributes: Record<string, unknown>
  resource: Record<string, unknown>
}

export interface Collector {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  url: string
  spans: ReceivedSpan[]
  /** Path and headers of each request. */
  requests: { path: string; headers: Record<string, unknown> }[]
  /** The bodies as they came. */
  bodies: string[]
  /** Resolves with the first span that fits, once it is there. */
  span(what: string, fits: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan>
  close(): Promise<void>
}

interface Attribute {
  key: string
  value: { stringValue?: string; intValue?: string; arrayValue?: { values: Attribute['value'][] } }
}

export async function startCollector(): Promise<Collector> {
  const [spans, requests, bodies] = [[] as ReceivedSpan[], [] as Collector['requests'], [] as string[]]
  const host = await startWebHost((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      bodies.push(body)
      requests.push({ path: request.url ?? '', headers: request.headers })
      spans.push(...spansIn(body))
      response.setHeader('content-type', 'application/json').end('{"partialSuccess":{}}')
    })
  })
  return {
    url: host.url,
    spans,
    requests,
    bodies,
    span: (what, fits) => until(what, async () => spans.find(fits)),
    close: host.close,
  }
}

interface Export {
  resourceSpans: {
    resource: { attributes: Attribute[] }
    scopeSpans: { spans: (Omit<ReceivedSpan, 'attributes' | 'resource'> & { attributes: Attribute[] })[] }[]
  }[]
}

const spansIn = (body: string): ReceivedSpan[] =>
  (JSON.parse(body) as Export).resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        ...span,
        attributes: valuesOf(span.attributes),
        resource: valuesOf(resource.attributes),
      })),
    ),
  )

const valuesOf = (attributes: Attribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, valueOf(value)]))

function valueOf({ stringValue, intValue, arrayValue }: Attribute['value']): unknown {
  if (arrayValue) return arrayValue.values.map(valueOf)
  return intValue === undefined ? stringValue : Number(intValue)
}
