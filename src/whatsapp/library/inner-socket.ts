// The WebSocket inside the library's socket, which all frames pass in both directions.
import type { Writable } from 'node:stream'
import type { WASocket } from 'baileys'
import type { FrameGate } from '../../network/network.ts'
import type { OutgoingSocket } from './write-barrier.ts'

/** How long a closing handshake may take; without a limit the library waits half a minute for a dead socket. */
const CLOSE_MS = 2000

export interface InnerSocket extends OutgoingSocket {
  terminate(): void
  once(event: 'close', listener: () => void): void
}

/** The library keeps it in a private field. */
export const innerSocketOf = ({ ws }: Pick<WASocket, 'ws'>): InnerSocket =>
  (ws as unknown as { socket: InnerSocket }).socket

export function limitClosing(socket: InnerSocket): void {
  const close = socket.close.bind(socket)
  socket.close = () => {
    close()
    setTimeout(() => socket.terminate(), CLOSE_MS).unref()
  }
}

/**
 * Frames of one turn leave in one write. Often these are many: a commit releases the acknowledgements of all members of a group. The
 * turn ends before anything else can happen to the connection, so no frame is later than it would be alone.
 */
export function joinWrites(socket: Pick<InnerSocket, 'send'>): void {
  const send = socket.send.bind(socket)
  let isHeld = false
  socket.send = (data, done) => {
    const stream = isHeld ? undefined : streamOf(socket)
    if (stream) {
      isHeld = true
      stream.cork()
      process.nextTick(() => {
        isHeld = false
        stream.uncork()
      })
    }
    send(data, done)
  }
}

/** The WebSocket has it while it is connected, in a private field. */
const streamOf = (socket: unknown): Pick<Writable, 'cork' | 'uncork'> | null | undefined =>
  (socket as { _socket?: Pick<Writable, 'cork' | 'uncork'> | null })._socket

/** Without a goodbye: the network must see the connection closed before another process uses the login. */
export function cutAtGate(socket: InnerSocket, gate: FrameGate): void {
  socket.once(
    'close',
    gate.onShut(() => socket.terminate()),
  )
}
