// The load of a bench, in a process of its own so that making requests does not slow the server down.
import autocannon from 'autocannon'

export interface LoadOrder {
  url: string
  path: string
  key: string
  bodies: string[]
  connections: number
  seconds: number
  /** Requests a second over all connections; as many as are answered where it is not given. */
  rate?: number
}

export interface LoadReport {
  requestsPerSecond: number
  p99Ms: number
  ok: number
  notOk: number
  /** How many answers had which status. */
  statuses: Record<string, number>
  /** Requests without an answer. */
  errors: number
}

async function run(order: LoadOrder): Promise<LoadReport> {
  const headers = { authorization: `Bearer ${order.key}`, 'content-type': 'application/json' }
  const result = await autocannon({
    url: order.url,
    connections: order.connections,
    duration: order.seconds,
    ...(order.rate === undefined ? {} : { overallRate: order.rate }),
    requests: order.bodies.map((body) => ({ method: 'POST', path: order.path, headers, body })),
  })
  return {
    requestsPerSecond: result['2xx'] / result.duration,
    p99Ms: result.latency.p99,
    ok: result['2xx'],
    notOk: result.non2xx + result.errors,
    statuses: Object.fromEntries(
      Object.entries(result.statusCodeStats ?? {}).map(([status, { count }]) => [status, count ?? 0]),
    ),
    errors: result.errors,
  }
}

process.on('message', (order: LoadOrder) => {
  void run(order).then((report) => process.send?.(report))
})
