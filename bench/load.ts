// The load of a bench, in a process of its own so that making requests does not slow the server down.
import autocannon from 'autocannon'

export interface LoadOrder {
  url: string
  path: string
  key: string
  bodies: string[]
  connections: number
  seconds: number
}

export interface LoadReport {
  requestsPerSecond: number
  p99Ms: number
  ok: number
  notOk: number
}

async function run(order: LoadOrder): Promise<LoadReport> {
  const headers = { authorization: `Bearer ${order.key}`, 'content-type': 'application/json' }
  const result = await autocannon({
    url: order.url,
    connections: order.connections,
    duration: order.seconds,
    requests: order.bodies.map((body) => ({ method: 'POST', path: order.path, headers, body })),
  })
  return {
    requestsPerSecond: result['2xx'] / result.duration,
    p99Ms: result.latency.p99,
    ok: result['2xx'],
    notOk: result.non2xx + result.errors,
  }
}

process.on('message', (order: LoadOrder) => {
  void run(order).then((report) => process.send?.(report))
})
