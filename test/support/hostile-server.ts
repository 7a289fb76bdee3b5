// A server that answers every connection without end, never, or closes the connection in the middle, over TCP or TLS.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, TLSSocket } from 'node:tls'
import { certificate } from './certificates.ts'
import { until } from './linked.ts'

export interface HostileServer {
  port: number
  untilConnected(): Promise<void>
  /** Resolves when there was a connection, and none is left. */
  untilClosed(): Promise<void>
  /** Bytes that left the server, with those in the buffers of the system. */
  sentBytes(): number
  close(): Promise<void>
}

export interface HostileOptions {
  /** `later`: after the greeting, as NATS does it. */
  tls?: boolean | 'later'
  /** How many bytes of the client come before the answer. */
  afterBytes?: number
  /** What is sent at first. */
  greeting?: string | Buffer
  /** Repeated without end; undefined: nothing. */
  endless?: string | Buffer | undefined
  /** Closes the connection after the greeting. */
  closes?: boolean
}

export async function startHostileServer(options: HostileOptions): Promise<HostileServer> {
  const { tls = false, afterBytes = 0, greeting = '', endless, closes = false } = options
  const sockets = new Set<Socket>()
  let seen = 0
  let sent = 0
  const piece = endless === undefined ? undefined : Buffer.alloc(64 * 1024, endless)
  const pump = (socket: Socket): void => {
    if (piece === undefined || socket.destroyed) return
    sent += piece.length
    socket.write(piece, () => setImmediate(pump, socket))
  }
  const answer = (socket: Socket): void => {
    if (greeting.length > 0) socket.write(greeting)
    if (closes) socket.destroySoon()
    else if (tls === 'later')
      new TLSSocket(socket, { isServer: true, ...certificate('trusted') })
        .on('error', () => undefined)
        .on('secure', function (this: TLSSocket) {
          pump(this)
        })
    else pump(socket)
  }
  const accept = (socket: Socket): void => {
    seen += 1
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
    let received = 0
    if (tls !== 'later')
      socket.on('data', (chunk: Buffer) => {
        const before = received
        received += chunk.length
        if (before < afterBytes && received >= afterBytes) answer(socket)
      })
    if (afterBytes === 0) answer(socket)
  }
  const server: Server = tls === true ? createTlsServer(certificate('trusted'), accept) : createServer(accept)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async untilConnected() {
      await until('a connection', async () => (sockets.size > 0 ? true : undefined))
    },
    async untilClosed() {
      await until('the connection is closed', async () => (seen > 0 && sockets.size === 0 ? true : undefined))
    },
    sentBytes: () => sent,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
