/** One client's socket: handshake, then stanzas in and out, one at a time in the order they came. */
import { decodeBinaryNode, encodeBinaryNode, type proto } from 'baileys'
import type { WebSocket } from 'ws'
import { handleStanza } from './dispatch.ts'
import type { Exchange } from './exchange.ts'
import { createFrameReader, frame } from './framing.ts'
import { admit, leave } from './login.ts'
import { startHandshake, type Transport } from './noise.ts'
import { newStanzaId, type Stanza } from './stanza.ts'
import type { Account, Device } from './world.ts'

export type Connection = {
  /** The host by which this client reached us, so that it reaches media the same way. */
  readonly host: string
  /** The static key the client proved to own in the handshake. */
  clientKey: Buffer
  /** The keys of a client that wants to be paired. */
  registration: proto.ClientPayload.IDevicePairingRegistrationData | undefined
  login: Login | undefined
  /** Set by a fault: the socket stays open, but nothing goes in or out. */
  silent: boolean
  send(node: Stanza): void
  /** Sends a stanza that is encoded already, as the queue keeps them. */
  sendEncoded(bytes: Uint8Array): void
  /** Sends a query of our own and waits for the client's answer. */
  request(node: Stanza): Promise<Stanza>
  /** Takes the answer to one of our queries. */
  answer(node: Stanza): void
  close(): void
}

export type Login = {
  account: Account
  device: Device
  /** True once the client has said it is ready: from then on stanzas flow as they come. */
  live: boolean
  /** Everything up to here was sent when the client became live. */
  flushedThrough: number
  /** Numbers whose presence this client follows. */
  subscriptions: Set<string>
  available: boolean
}

export function acceptConnection(exchange: Exchange, socket: WebSocket, host: string): void {
  const { connection, takeFrame } = openConnection(exchange, socket, host)
  const readFrames = createFrameReader()
  let turn: Promise<void> = Promise.resolve()
  socket.on('message', (chunk: Buffer) => {
    turn = turn
      .then(async () => {
        for (const bytes of readFrames(chunk)) await takeFrame(bytes)
      })
      .catch((error: unknown) => {
        exchange.log.error('connection failed', { error: String(error) })
        socket.terminate()
      })
  })
  socket.on('error', () => socket.terminate())
  socket.on('close', () => leave(exchange, connection))
}

/** The connection, and what to do with each frame: first the handshake, then stanzas. */
function openConnection(exchange: Exchange, socket: WebSocket, host: string) {
  const handshake = startHandshake(exchange.certificates)
  let stage: 'hello' | 'finish' | 'open' = 'hello'
  let transport: Transport | undefined
  const connection = createConnection(host, {
    send(bytes) {
      if (transport && socket.readyState === socket.OPEN) socket.send(frame(transport.encrypt(bytes)))
    },
    close: () => socket.close(),
  })
  const takeFrame = async (bytes: Buffer) => {
    if (stage === 'hello') {
      socket.send(frame(handshake.answerHello(bytes)))
      stage = 'finish'
    } else if (stage === 'finish') {
      const finished = handshake.finish(bytes)
      connection.clientKey = finished.clientKey
      transport = finished.transport
      stage = 'open'
      await admit(exchange, connection, finished.payload)
    } else if (transport) {
      const node = await decodeBinaryNode(transport.decrypt(bytes))
      if (!connection.silent) await handleStanza(exchange, connection, node)
    }
  }
  return { connection, takeFrame }
}

function createConnection(host: string, wire: { send(bytes: Uint8Array): void; close(): void }): Connection {
  const requests = new Map<string, (answer: Stanza) => void>()
  const connection: Connection = {
    host,
    clientKey: Buffer.alloc(0),
    registration: undefined,
    login: undefined,
    silent: false,
    send: (node) => connection.sendEncoded(encodeBinaryNode(node)),
    sendEncoded(bytes) {
      if (!connection.silent) wire.send(bytes)
    },
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
