// A webhook receiver on the loopback that records each request, and answers as the test decides.
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { startWebHost } from './web-host.ts'

/** The test gateways allow this name as a target and find it on the loopback. */
export const RECEIVER_HOST = 'receiver.test'

export interface Received {
  path: string
  headers: IncomingHttpHeaders
  body: string
  json: any // oxlint-disable-line typescript/no-explicit-any -- a test says what it expects of it
}

export interface Receiver {
  /** By name, as a webhook would have it. */
  url: string
  port: number
  received: Received[]
  /** What the next requests are answered with; 200 by default. */
  answer: (response: ServerResponse, received: Received) => void
  /** Resolves when this many have come, with all of them. */
  until(count: number): Promise<Received[]>
  close(): Promise<void>
}

export async function startReceiver(port = 0): Promise<Receiver> {
  const received: Received[] = []
  const waiting = new Set<() => void>()
  const host = await startWebHost(
    (request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString()
        const one = { path: request.url ?? '', headers: request.headers, body, json: JSON.parse(body) }
        received.push(one)
        receiver.answer(response, one)
        for (const check of waiting) check()
      })
    },
    { tls: 'trusted', port },
  )
  const receiver: Receiver = {
    url: `https://${RECEIVER_HOST}:${host.port}/hook`,
    port: host.port,
    received,
    answer: (response) => void response.end('ok'),
    until: (count) =>
      new Promise((resolve) => {
        const check = () => {
          if (received.length < count) return
          waiting.delete(check)
          resolve(received)
        }
        waiting.add(check)
        check()
      }),
    close: host.close,
  }
  return receiver
}
