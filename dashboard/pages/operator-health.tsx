// How the server is doing: its own checks, and a few of its measurements.
import { useQuery } from '@tanstack/react-query'
import { ApiError, api } from '../api.ts'
import { useFormat, useTexts } from '../language.tsx'
import { operatorTexts } from '../texts/operator.ts'
import { Badge } from '../ui/badge.tsx'
import { Card, Facts } from '../ui/card.tsx'
import { Loaded } from '../ui/page-head.tsx'

const LOOK_MS = 5000

/** The checks by name; a server that is not ready says which failed. */
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
  const checks = useQuery({ queryKey: ['operator', 'ready'], queryFn: readChecks, refetchInterval: LOOK_MS })
  const metrics = useQuery({
    queryKey: ['operator', 'metrics'],
    queryFn: async () => new TextDecoder().decode((await api.metrics()).bytes),
    refetchInterval: LOOK_MS,
  })
  return (
    <div className="grid">
      <Card title={t.checks}>
        <Loaded query={checks}>
          {({ ready, checks: results }) => (
            <>
              <div>
                <Badge tone={ready ? 'good' : 'bad'}>{ready ? t.ready : t.notReady}</Badge>
              </div>
              <Facts
                facts={Object.entries(results).map(
                  ([name, isFine]) => [name, isFine ? t.ok : t.notReady] as const,
                )}
              />
            </>
          )}
        </Loaded>
        <p className="muted small">{t.instancesMissing}</p>
      </Card>
      <Card title={t.figures}>
        <Loaded query={metrics}>{(text) => <Figures text={text} readAt={metrics.dataUpdatedAt} />}</Loaded>
        <a className="small" href="/metrics">
          {t.allMetrics}
        </a>
      </Card>
    </div>
  )
}

/** The sum of a metric over those of its labels that fit. */
function sumOf(text: string, metric: string, labels: RegExp = /.*/): number {
  let sum = 0
  for (const line of text.split('\n')) {
    const match = /^([a-zA-Z_:]+)(\{[^}]*\})? ([\d.eE+-]+)$/.exec(line)
    if (match?.[1] === metric && labels.test(match[2] ?? '')) sum += Number(match[3])
  }
  return sum
}

function Figures({ text, readAt }: { text: string; readAt: number }) {
  const t = useTexts(operatorTexts)
  const format = useFormat()
  const requests = 'switchboard_http_request_seconds_count'
  const minutes = Math.round((readAt / 1000 - sumOf(text, 'process_start_time_seconds')) / 60)
  return (
    <Facts
      facts={[
        [t.metrics.queue, format.number(sumOf(text, 'switchboard_queue_depth'))],
        [t.metrics.requests, format.number(sumOf(text, requests))],
        [t.metrics.refused, format.number(sumOf(text, requests, /status="5/))],
        [
          t.metrics.memory,
          `${format.number(Math.round(sumOf(text, 'process_resident_memory_bytes') / 1_048_576))} MB`,
        ],
        [t.metrics.uptime, `${format.number(minutes)} min`],
      ]}
    />
  )
}
