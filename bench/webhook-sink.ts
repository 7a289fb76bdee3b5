// The receiver of a bench's webhook, in a process of its own: records when each message arrives, and answers at once.
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { certificate } from '../test/support/certificates.ts'
import { Arrivals, type Expected } from './arrivals.ts'
import { serveCalls } from './orders.ts'

const KEEP_ALIVE_MS = 60_000
const arrivals = new Arrivals()

interface Delivered {
  event: string
  data: { messageId: string; direction: string }
}

async function listen(): Promise<number> {
  const server = createServer({ ...certificate('trusted'), keepAlive: true }, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { event, data } = JSON.parse(Buffer.concat(chunks).toString()) as Delivered
      if (event === 'messages.upsert' && data.direction === 'incoming') arrivals.add(data.messageId)
      response.end('ok')
    })
  })
  server.keepAliveTimeout = KEEP_ALIVE_MS
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

const calls = {
  listen,
  reset: () => arrivals.reset(),
  take: (expected: Expected) => arrivals.take(expected),
}
export type WebhookSink = typeof calls

serveCalls(calls)
