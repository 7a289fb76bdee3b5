// The WebSocket endpoint for clients of the protocol.

import { decodeBinaryNode, encodeBinaryNode } from 'baileys'
import type { FastifyInstance } from 'fastify'
import { type WebSocket, WebSocketServer } from 'ws'
import { createSerialQueue } from '../../src/kernel/async/locks.ts'
import { acceptMessage } from '../network/accept-message.ts'
import { acceptCallStanza } from '../network/calls.ts'
import type { ConnectedClient } from '../network/client.ts'
import type { Connection } from '../network/connection.ts'
import { acknowledge, logFrame } from '../network/delivery.ts'
import { handleDisconnect, handleLogin } from '../network/login.ts'
import { acceptChatState, acceptPresence } from '../network/presence.ts'
import { acceptReceipt } from '../network/receipts.ts'
import type { SandboxState } from '../network/sandbox-state.ts'
import { answerQuery } from '../queries/answer-query.ts'
import { createFrameReader, frame } from '../wire/framing.ts'
import { type Opened, startHandshake, type Transport } from '../wire/noise.ts'
import { newStanzaId, type Stanza } from '../wire/stanza.ts'

export const SOCKET_PATH = '/ws/chat'

export function serveSockets(app: FastifyInstance, state: SandboxState): WebSocketServer {
  const server = new WebSocketServer({ server: app.server, path: SOCKET_PATH, perMessageDeflate: false })
  server.on('connection', (socket, request) =>
    acceptConnection(state, socket, request.headers.host ?? 'localhost'),
  )
  return server
}

// One client's socket: first the handshake, then stanzas. Incoming stanzas are handled one at a time, in order.

function acceptConnection(state: SandboxState, socket: WebSocket, host: string): void {
  const { connection, takeFrame } = openConnection(state, socket, host)
  const readFrames = createFrameReader()
  const turns = createSerialQueue()
  socket.on('message', (chunk: Buffer) => {
    void turns
      .run(async () => {
        for (const bytes of readFrames(chunk)) await takeFrame(bytes)
      })
      .catch((error: unknown) => {
        state.log.error('connection failed', { error: String(error) })
        socket.terminate()
      })
  })
  socket.on('error', () => socket.terminate())
  socket.on('close', () => handleDisconnect(state, connection))
}

/** Returns the connection and the handler of its frames. The first one or two frames are the handshake, the others are stanzas. */
function openConnection(state: SandboxState, socket: WebSocket, host: string) {
  const handshake = startHandshake(state.certificates)
  let stage: 'hello' | 'finish' | 'open' = 'hello'
  let transport: Transport | undefined
  const connection = createConnection(host, {
    send(bytes) {
      if (transport && socket.readyState === socket.OPEN) socket.send(frame(transport.encrypt(bytes)))
    },
    sendRaw(bytes) {
      if (socket.readyState === socket.OPEN) socket.send(bytes)
    },
    close: () => socket.close(),
  })
  const open = async (opened: Opened) => {
    connection.clientKey = opened.clientKey
    transport = opened.transport
    stage = 'open'
    await handleLogin(state, connection, opened.payload)
  }
  const takeFrame = async (bytes: Buffer) => {
    if (stage === 'hello') {
      const { answer, opened } = handshake.answerHello(bytes)
      socket.send(frame(state.faults.hellos.shift() ?? answer))
      stage = 'finish'
      if (opened) await open(opened)
    } else if (stage === 'finish') {
      await open(handshake.finish(bytes))
    } else if (transport) {
      const node = await decodeBinaryNode(transport.decrypt(bytes))
      if (!connection.silent) await handleStanza(state, connection, node)
    }
  }
  return { connection, takeFrame }
}

interface Wire {
  /** Encrypts and sends. */
  send(bytes: Uint8Array): void
  sendRaw(bytes: Uint8Array): void
  close(): void
}

function createConnection(host: string, wire: Wire): Connection {
  const requests = new Map<string, (answer: Stanza) => void>()
  const connection: Connection = {
    host,
    clientKey: Buffer.alloc(0),
    registration: undefined,
    pushName: undefined,
    retiredSecret: undefined,
    login: undefined,
    silent: false,
    endsWithAnswer: false,
    send: (node) => connection.sendEncoded(encodeBinaryNode(node)),
    sendEncoded(bytes) {
      if (!connection.silent) wire.send(bytes)
    },
    sendRaw: (bytes) => wire.sendRaw(bytes),
    request(node) {
      const id = newStanzaId()
      const { promise, resolve } = Promise.withResolvers<Stanza>()
      requests.set(id, resolve)
      connection.send({ ...node, attrs: { ...node.attrs, id } })
      return promise
    },
    answer(node) {
      requests.get(node.attrs['id'] ?? '')?.(node)
      requests.delete(node.attrs['id'] ?? '')
    },
    close: () => wire.close(),
  }
  return connection
}

// Dispatches each stanza to the handler of its tag.

type Handler = (client: ConnectedClient, node: Stanza) => void | Promise<void>

const LOGGED = new Set(['message', 'receipt', 'ack', 'call'])

const HANDLERS: Record<string, Handler> = {
  message: acceptMessage,
  receipt: acceptReceipt,
  ack: acceptAck,
  call: acceptCallStanza,
  chatstate: acceptChatState,
  presence: acceptPresence,
}

async function handleStanza(state: SandboxState, connection: Connection, node: Stanza): Promise<void> {
  if (node.tag === 'iq') {
    await handleQuery(state, connection, node)
    return
  }
  const login = connection.login
  const handler = HANDLERS[node.tag]
  // Before login only queries are handled. Stanzas without a handler, such as telemetry in `ib`, are ignored.
  if (!login || !handler) return
  if (LOGGED.has(node.tag)) logFrame(state.database, 'in', login.account.number, login.device.id, node)
  await handler({ state, connection, ...login }, node)
}

async function handleQuery(state: SandboxState, connection: Connection, node: Stanza): Promise<void> {
  const type = node.attrs['type']
  if (type === 'result' || type === 'error') connection.answer(node)
  else await answerQuery(state, connection, node)
}

/** Clients send acks for receipts, for notifications, and for messages that they could not decrypt. */
function acceptAck({ state, account, device }: ConnectedClient, node: Stanza): void {
  const { id = '', class: stanzaClass = '' } = node.attrs
  acknowledge(state.database, account, device.id, { class: stanzaClass, id })
}
