// What the metrics of a gateway tell about it: versions, closed connections, and when its process started.
import type { Client } from '../../../contract/client.ts'
import type { ServerFacts } from './findings.ts'

const UNKNOWN = 'unknown'

export interface ServerMetrics {
  facts: Omit<ServerFacts, 'version'>
  closes: Record<string, number>
  /** Undefined if the metrics are not available, for example behind a proxy. */
  processStartedAt: string | undefined
}

export async function readMetrics({
  system,
  signal,
}: {
  system: Pick<Client, 'metrics'>
  signal: AbortSignal
}): Promise<ServerMetrics> {
  try {
    const { bytes } = await system.metrics(undefined, { signal })
    return parseMetrics(new TextDecoder().decode(bytes))
  } catch (error) {
    // Every other failure means that they are not available here.
    if (signal.aborted) throw error
    return parseMetrics('')
  }
}

export function parseMetrics(text: string): ServerMetrics {
  const [, labels = ''] = /^switchboard_network_info\{(.*)\} 1$/m.exec(text) ?? []
  const label = (name: string): string => new RegExp(`\\b${name}="([^"]*)"`).exec(labels)?.[1] ?? UNKNOWN
  const closes = [...text.matchAll(/^switchboard_network_closes_total\{code="(\w+)"\} (\d+)$/gm)]
  return {
    facts: { network: label('network'), library: label('library'), client: label('client') },
    closes: Object.fromEntries(closes.map(([, code = '', count]) => [code, Number(count)])),
    processStartedAt: /^process_start_time_seconds (\S+)$/m.exec(text)?.[1],
  }
}

/** Closes between two readings of one process. After a restart the counters begin at zero. */
export function closesBetween(before: ServerMetrics, after: ServerMetrics): Record<string, number> {
  const isSameProcess = before.processStartedAt === after.processStartedAt
  const counts = Object.entries(after.closes).map(
    ([code, count]) => [code, count - (isSameProcess ? (before.closes[code] ?? 0) : 0)] as const,
  )
  return Object.fromEntries(counts.filter(([, count]) => count > 0))
}

export const addCloses = (to: Record<string, number>, more: Record<string, number>): void => {
  for (const [code, count] of Object.entries(more)) to[code] = (to[code] ?? 0) + count
}
