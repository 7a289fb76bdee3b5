// The receivers of a bench, in a process of their own: they answer or hang on request, and measure how old each event arrives.
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { certificate } from '../test/support/certificates.ts'

export type ReceiverOrder =
  | { kind: 'open'; count: number }
  /** These never answer from now on. */
  | { kind: 'hang'; receivers: number[] }
  /** Forgets what was measured so far. */
  | { kind: 'reset' }
  | { kind: 'report' }

export type ReceiverReport =
  | { kind: 'opened'; ports: number[] }
  | { kind: 'done' }
  /** Milliseconds from event to arrival, by receiver. */
  | { kind: 'ages'; ages: number[][] }
  | { kind: 'arrived'; count: number }

const REPORT_EVERY_MS = 50
const hanging = new Set<number>()
let ages: number[][] = []
let arrived = 0

async function open(count: number): Promise<number[]> {
  const ports: number[] = []
  for (let index = 0; index < count; index += 1) {
    const server = createServer({ ...certificate('trusted'), keepAlive: true }, (request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const { timestamp } = JSON.parse(Buffer.concat(chunks).toString()) as { timestamp: string }
        ages[index]?.push(Date.now() - Date.parse(timestamp))
        arrived += 1
        if (!hanging.has(index)) response.end('ok')
      })
    })
    server.keepAliveTimeout = 60_000
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    ports.push((server.address() as AddressInfo).port)
  }
  return ports
}

const reset = (count: number): void => {
  ages = Array.from({ length: count }, () => [])
  arrived = 0
}

async function follow(order: ReceiverOrder): Promise<ReceiverReport> {
  if (order.kind === 'open') {
    reset(order.count)
    setInterval(() => process.send?.({ kind: 'arrived', count: arrived }), REPORT_EVERY_MS).unref()
    return { kind: 'opened', ports: await open(order.count) }
  }
  if (order.kind === 'report') return { kind: 'ages', ages }
  if (order.kind === 'hang') for (const index of order.receivers) hanging.add(index)
  else reset(ages.length)
  return { kind: 'done' }
}

process.on('message', (order: ReceiverOrder) => {
  void follow(order).then((report) => process.send?.(report))
})
