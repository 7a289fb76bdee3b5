// Starts traces where the settings name a collector. Without one, no code of them is loaded.
import { hostname } from 'node:os'
import type { Settings } from '../config.ts'
import { PRODUCT_VERSION } from '../contract/version.ts'
import type { Metrics } from '../metrics.ts'
import type { Tracing } from '../tracing/start-tracing.ts'
import { proxiesIn, readCertificates } from './outbound.ts'

interface TracingParts {
  clock: () => number
  metrics: Pick<Metrics, 'countSpans'>
  logger: { warn(fields: object, text: string): void }
  nodeId: number | undefined
}

/** Undefined: tracing is off. */
export async function openTracing(
  settings: Pick<
    Settings,
    | 'OTEL_EXPORTER_OTLP_ENDPOINT'
    | 'OTEL_EXPORTER_OTLP_HEADERS'
    | 'OTEL_SERVICE_NAME'
    | 'EXTRA_CA_FILE'
    | 'HTTP_PROXY'
    | 'HTTPS_PROXY'
    | 'NO_PROXY'
  >,
  { clock, metrics, logger, nodeId = 1 }: TracingParts,
): Promise<Tracing | undefined> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers = {} } = settings
  if (endpoint === undefined) return undefined
  const { startTracing } = await import('../tracing/start-tracing.ts')
  return startTracing({
    url: `${endpoint}/v1/traces`,
    headers,
    extraCa: await readCertificates(settings.EXTRA_CA_FILE),
    proxies: proxiesIn(settings),
    clock,
    resource: {
      attributes: {
        'service.name': settings.OTEL_SERVICE_NAME,
        'service.version': PRODUCT_VERSION,
        'service.instance.id': String(nodeId),
        'host.name': hostname(),
      },
      scope: { name: 'switchboard', version: PRODUCT_VERSION },
    },
    count: metrics.countSpans,
    onFailure: (why) => logger.warn({ why }, 'traces: the collector did not take spans'),
  })
}
