// The WebSocket endpoint for clients of the protocol.
import type { FastifyInstance } from 'fastify'
import { WebSocketServer } from 'ws'
import type { SandboxState } from '../network/sandbox-state.ts'
import { acceptConnection } from './accept-connection.ts'

export const SOCKET_PATH = '/ws/chat'

export function serveSockets(app: FastifyInstance, state: SandboxState): WebSocketServer {
  const server = new WebSocketServer({ server: app.server, path: SOCKET_PATH, perMessageDeflate: false })
  server.on('connection', (socket, request) =>
    acceptConnection(state, socket, request.headers.host ?? 'localhost'),
  )
  return server
}
