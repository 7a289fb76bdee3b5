// Closes connections while the server drains: first those without a complete request, then all that are left.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** A request that is still arriving when the drain begins gets this long: half a header must not delay the stop. */
const ARRIVAL_MS = 3000
const CHECK_MS = 500
/** After this time every connection is closed, answered or not. */
const CLOSE_ALL_MS = 6000

export interface Connections {
  /** Begins to close connections; returns a function that ends it. */
  drain(): () => void
}

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
}

export function trackConnections(server: Server): Connections {
  const sockets = new Set<Socket>()
  const latest = new WeakMap<Socket, Exchange>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    latest.set(request.socket, { request, response })
  })
  const closeIncomplete = () => {
    for (const socket of sockets) if (!isInProgress(latest.get(socket))) socket.destroy()
  }
  return {
    drain() {
      // Repeated, because a connection becomes idle again after each answer.
      let checks: NodeJS.Timeout | undefined
      const arrival = setTimeout(() => {
        closeIncomplete()
        checks = setInterval(closeIncomplete, CHECK_MS)
      }, ARRIVAL_MS)
      const closeAll = setTimeout(() => server.closeAllConnections(), CLOSE_ALL_MS)
      return () => {
        clearTimeout(arrival)
        clearTimeout(closeAll)
        clearInterval(checks)
      }
    },
  }
}

/** Whether a request has arrived completely and its answer is not fully sent yet. */
const isInProgress = (exchange: Exchange | undefined): boolean =>
  exchange !== undefined && exchange.request.complete && !exchange.response.writableFinished
