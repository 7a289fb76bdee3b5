// The health of the server: readiness checks and key figures.

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ApiError, api } from '../../gateway/api.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card, Facts } from '../../ui/card.tsx'
import figuresCss from '../../ui/figures.module.css'
import { useFormat, useTexts } from '../../ui/language.tsx'
import { Loaded } from '../../ui/page-head.tsx'
import { type MetricsReading, readMetrics } from './metrics-reading.ts'
import { operatorTexts } from './texts/operator-texts.ts'

const POLL_MS = 5000
const METRICS_KEY = ['operator', 'metrics']

/** The checks by name; a server that is not ready names those that failed. */
async function readChecks(): Promise<{ ready: boolean; checks: Record<string, boolean> }> {
  try {
    const { checks } = await api.readyz()
    return { ready: true, checks: Object.fromEntries(Object.keys(checks).map((name) => [name, true])) }
  } catch (error) {
    if (!(error instanceof ApiError) || !Array.isArray(error.extra.failed)) throw error
    return {
      ready: false,
      checks: Object.fromEntries(error.extra.failed.map((name) => [String(name), false])),
    }
  }
}

export function OperatorHealth() {
  const t = useTexts(operatorTexts)
  const queries = useQueryClient()
  const checks = useQuery({ queryKey: ['operator', 'ready'], queryFn: readChecks, refetchInterval: POLL_MS })
  const metrics = useQuery({
    queryKey: METRICS_KEY,
    async queryFn() {
      const text = new TextDecoder().decode((await api.metrics()).bytes)
      return readMetrics(text, Date.now(), queries.getQueryData<MetricsReading>(METRICS_KEY))
    },
    refetchInterval: POLL_MS,
  })
  return (
    <>
      <Card
        title={t.figures}
        actions={
          <a className="small" href="/metrics">
            {t.allMetrics}
          </a>
        }
      >
        <Loaded query={metrics}>{(reading) => <Figures reading={reading} />}</Loaded>
      </Card>
      <Card title={t.checks}>
        <Loaded query={checks}>
          {({ ready, checks: results }) => (
            <>
              <div>
                <Badge tone={ready ? 'good' : 'bad'}>{ready ? t.ready : t.notReady}</Badge>
              </div>
              <Facts
                facts={Object.entries(results).map(
                  ([name, isFine]) =>
                    [
                      (t.checkNames as Record<string, string>)[name] ?? name,
                      <Badge key={name} tone={isFine ? 'good' : 'bad'}>
                        {isFine ? t.ok : t.failing}
                      </Badge>,
                    ] as const,
                )}
              />
            </>
          )}
        </Loaded>
      </Card>
    </>
  )
}

function Figures({ reading }: { reading: MetricsReading }) {
  const t = useTexts(operatorTexts)
  const format = useFormat()
  const rate = (value: number | undefined) => (value === undefined ? '…' : format.decimal(value))
  const minutes = Math.floor((reading.atMs - reading.startedAtMs) / 60_000)
  const figures: [string, string][] = [
    [t.metrics.queue, format.number(reading.queued)],
    [t.metrics.deliveries, format.number(reading.waitingDeliveries)],
    [t.metrics.perSecond, rate(reading.requestsPerSecond)],
    [t.metrics.requests, format.number(reading.requests)],
    [t.metrics.refused, format.number(reading.failedRequests)],
    [t.metrics.memory, `${format.number(Math.round(reading.memoryBytes / 1_048_576))} MB`],
    [
      t.metrics.cpu,
      reading.cpuShare === undefined ? '…' : `${format.number(Math.round(reading.cpuShare * 100))} %`,
    ],
    [t.metrics.eventLoop, `${format.decimal(reading.eventLoopLagMs)} ms`],
    [t.metrics.uptime, `${format.number(minutes)} min`],
  ]
  return (
    <dl className={figuresCss.figures}>
      {figures.map(([name, value]) => (
        <div key={name} className={figuresCss.figure}>
          <dt className="muted">{name}</dt>
          <dd>
            <strong>{value}</strong>
          </dd>
        </div>
      ))}
    </dl>
  )
}
