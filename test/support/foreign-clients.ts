// What clients of other APIs need around them: a host that hands requests to them in the standard form, and TLS before the gateway.
import { once } from 'node:events'
import { request as forward } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import tls from 'node:tls'
import { authority, certificate } from './certificates.ts'
import { startWebHost, type WebHost } from './web-host.ts'

/** Clients of this process trust the authority of the tests until the returned function is called. Other tests run in it as well. */
export function trustTestAuthority(): () => void {
  const before = tls.getCACertificates('default')
  tls.setDefaultCACertificates([...before, authority()])
  return () => tls.setDefaultCACertificates(before)
}

/** Each request is handed to `handle` as servers of today do. What it throws is answered with 500. */
export const startRequestHost = (handle: (request: Request) => Promise<Response>): Promise<WebHost> =>
  startWebHost(
    (incoming, outgoing) => {
      const url = `https://receiver.test${incoming.url}`
      const { method = 'GET' } = incoming
      const headers = new Headers(incoming.headers as Record<string, string>)
      const body = method === 'GET' ? null : Readable.toWeb(incoming)
      const request = new Request(url, { method, headers, body, duplex: 'half' })
      void handle(request)
        .catch(() => new Response(null, { status: 500 }))
        .then(async (response) => outgoing.writeHead(response.status).end(await response.text()))
    },
    { tls: 'trusted' },
  )

/** The gateway behind a proxy that terminates TLS, as its users see it. */
export async function startTlsFront(gatewayUrl: string): Promise<{ url: string; close(): Promise<void> }> {
  const { hostname, port } = new URL(gatewayUrl)
  const server = createServer(certificate('trusted'), (incoming, outgoing) => {
    const headers = { ...incoming.headers, 'x-forwarded-proto': 'https' }
    const onward = forward(
      { hostname, port, method: incoming.method, path: incoming.url, headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      },
    )
    onward.on('error', () => outgoing.destroy())
    incoming.pipe(onward)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
