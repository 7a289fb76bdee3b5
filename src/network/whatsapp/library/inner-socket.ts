// The WebSocket inside the library's socket, which all frames pass in both directions.
import type { WASocket } from 'baileys'
import type { FrameGate } from '../../network.ts'
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

/** Without a goodbye: the network must see the connection closed before another process uses the login. */
export function cutAtGate(socket: InnerSocket, gate: FrameGate): void {
  socket.once(
    'close',
    gate.onShut(() => socket.terminate()),
  )
}
