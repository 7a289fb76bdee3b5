// The smallest network that the library connects to: it completes the handshake, sends what a test tells it to, and keeps what it gets.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type BinaryNode, decodeBinaryNode, encodeBinaryNode } from 'baileys'
import { type WebSocket, WebSocketServer } from 'ws'
import { createCertificates } from '../../sandbox/wire/certificates.ts'
import { createFrameReader, frame } from '../../sandbox/wire/framing.ts'
import { startHandshake, type Transport } from '../../sandbox/wire/noise.ts'

export interface BareNetwork {
  url: string
  rootPublicKey: Uint8Array
  /** Resolves when a client has completed the handshake. */
  joined: Promise<void>
  send(stanza: BinaryNode): void
  /** The first stanza of the client that fits, also if it was sent before. */
  received(fits: (stanza: BinaryNode) => boolean): Promise<BinaryNode>
  /** All stanzas of the client so far. */
  stanzas: readonly BinaryNode[]
  close(): Promise<void>
}

/** For one client. `answer` is called with each of its stanzas. */
export async function startBareNetwork(
  answer: (stanza: BinaryNode) => BinaryNode | undefined = () => undefined,
): Promise<BareNetwork> {
  const certificates = createCertificates(Date.now())
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false })
  await once(server, 'listening')
  const joined = Promise.withResolvers<void>()
  const stanzas: BinaryNode[] = []
  const waiting = new Set<() => void>()
  let send: BareNetwork['send'] = () => undefined

  async function serve(socket: WebSocket): Promise<void> {
    const nextFrame = readFrames(socket)
    const handshake = startHandshake(certificates)
    socket.send(frame(handshake.answerHello(await nextFrame()).answer))
    const { transport } = handshake.finish(await nextFrame())
    send = (stanza) => socket.send(frame(transport.encrypt(encodeBinaryNode(stanza))))
    joined.resolve()
    for (;;) {
      const stanza = await stanzaIn(await nextFrame(), transport)
      stanzas.push(stanza)
      for (const check of waiting) check()
      const answered = answer(stanza)
      if (answered) send(answered)
    }
  }
  server.on('error', () => undefined)
  server.on('connection', (socket) => void serve(socket).catch(() => socket.terminate()))
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    rootPublicKey: certificates.rootPublicKey,
    joined: joined.promise,
    send: (stanza) => send(stanza),
    stanzas,
    received: (fits) =>
      new Promise((resolve) => {
        const check = () => {
          const found = stanzas.find(fits)
          if (!found) return
          waiting.delete(check)
          resolve(found)
        }
        waiting.add(check)
        check()
      }),
    async close() {
      for (const socket of server.clients) socket.terminate()
      server.close()
      await once(server, 'close')
    },
  }
}

const stanzaIn = (bytes: Buffer, transport: Transport): Promise<BinaryNode> =>
  decodeBinaryNode(transport.decrypt(bytes))

/** Frames one after the other, although they arrive in chunks. */
function readFrames(socket: WebSocket): () => Promise<Buffer> {
  const read = createFrameReader()
  const frames: Buffer[] = []
  let wake: () => void = () => undefined
  socket.on('error', () => undefined)
  socket.on('message', (chunk: Buffer) => {
    frames.push(...read(chunk))
    wake()
  })
  return async () => {
    for (;;) {
      const next = frames.shift()
      if (next) return next
      await new Promise<void>((resolve) => (wake = resolve))
    }
  }
}
