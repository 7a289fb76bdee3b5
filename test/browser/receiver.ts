// A webhook receiver with HTTPS and a trusted certificate. It records all requests.
import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { startWebHost } from '../support/web-host.ts'

export interface Received {
  path: string
  headers: IncomingHttpHeaders
  body: string
}

export interface Receiver {
  url: string
  received: Received[]
  /** The response to further requests. */
  answer: { status: number; body: string }
  close(): Promise<void>
}

export async function startReceiver(): Promise<Receiver> {
  const receiver: Receiver = {
    url: '',
    received: [],
    answer: { status: 200, body: '{"ok":true}' },
    close: async () => {},
  }
  const host = await startWebHost(
    (request, response) => {
      let body = ''
      request.setEncoding('utf8').on('data', (text: string) => (body += text))
      request.on('end', () => {
        receiver.received.push({ path: request.url ?? '', headers: request.headers, body })
        response.writeHead(receiver.answer.status, { 'content-type': 'text/html' }).end(receiver.answer.body)
      })
    },
    { tls: 'trusted' },
  )
  receiver.url = host.url
  receiver.close = host.close
  return receiver
}

/** The signature over timestamp, a dot and the body, with the whole secret. */
export const signatureOf = ({ headers, body }: Received, secret: string): string =>
  createHmac('sha256', secret)
    .update(`${String(headers['x-service-timestamp'])}.${body}`)
    .digest('hex')
