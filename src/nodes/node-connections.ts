// Connections to the port for nodes. One is proven when it has carried a signed request; strangers can only make unproven ones.
import type { Server, Socket } from 'node:net'
import { ignoreErrors } from '../kernel/async/ignore-errors.ts'

/** Proven and unproven: more than a hundred nodes with eight connections each. */
const MAX_CONNECTIONS = 1024
/** A node sends a signed request as soon as it is connected, so that its connections are unproven for a moment only. */
const MAX_UNPROVEN = 64

export interface NodeConnections {
  /** A signed request has come over this connection. */
  prove(socket: Socket): void
  destroyUnproven(): void
}

/** Beyond the limit the oldest unproven connection is closed: strangers cannot keep nodes out by holding connections open. */
export function limitConnections(server: Server): NodeConnections {
  const unproven = new Map<string, Socket>()
  server.maxConnections = MAX_CONNECTIONS
  server.on('connection', (socket: Socket) => {
    // Nothing else listens before the first byte has come, and without a listener an error would end the process.
    ignoreErrors(socket)
    const peer = peerOf(socket)
    unproven.set(peer, socket)
    socket.once('close', () => {
      if (unproven.get(peer) === socket) unproven.delete(peer)
    })
    const [oldest] = unproven
    if (unproven.size <= MAX_UNPROVEN || !oldest) return
    unproven.delete(oldest[0])
    oldest[1].destroy()
  })
  return {
    prove: (socket) => void unproven.delete(peerOf(socket)),
    destroyUnproven() {
      for (const socket of unproven.values()) socket.destroy()
    },
  }
}

/** With TLS, requests come over a socket that wraps the one of the connection. Both have the same peer. */
const peerOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`
