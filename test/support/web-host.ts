// A host on the loopback that receives outbound requests in tests, and counts them.
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { type CertificateName, certificate } from './certificates.ts'

export interface WebHost {
  port: number
  /** With an address in place of a name. */
  url: string
  /** Connections at all, whether or not a request came over them. */
  connections(): number
  requests(): number
  close(): Promise<void>
}

export interface WebHostOptions {
  /** Absent: plain HTTP. */
  tls?: CertificateName
  host?: string
  port?: number
}

export async function startWebHost(
  handler: RequestListener,
  { tls, host = '127.0.0.1', port = 0 }: WebHostOptions = {},
): Promise<WebHost> {
  let requests = 0
  const sockets = new Set<Socket>()
  let connections = 0
  const counted: RequestListener = (request, response) => {
    requests += 1
    return handler(request, response)
  }
  const server = tls ? createTlsServer(certificate(tls), counted) : createServer(counted)
  server.on('connection', (socket: Socket) => {
    connections += 1
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.listen(port, host)
  await once(server, 'listening')
  const bound = (server.address() as AddressInfo).port
  return {
    port: bound,
    url: `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    connections: () => connections,
    requests: () => requests,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
