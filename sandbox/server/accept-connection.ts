// One client's socket: first the handshake, then stanzas. Incoming stanzas are handled one at a time, in order.
import { decodeBinaryNode, encodeBinaryNode } from 'baileys'
import type { WebSocket } from 'ws'
import { createSerialQueue } from '../../src/kernel/async/serial-queue.ts'
import type { Connection } from '../network/connection.ts'
import { handleDisconnect, handleLogin } from '../network/login.ts'
import type { SandboxState } from '../network/sandbox-state.ts'
import { createFrameReader, frame } from '../wire/framing.ts'
import { type Opened, startHandshake, type Transport } from '../wire/noise.ts'
import { newStanzaId, type Stanza } from '../wire/stanza.ts'
import { handleStanza } from './dispatch.ts'

export function acceptConnection(state: SandboxState, socket: WebSocket, host: string): void {
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
