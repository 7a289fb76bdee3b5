// Keeps a connection alive, and closes one whose other end is silent. It measures on the monotonic clock: the library compares times of
// the wall clock, so that setting that clock would close every connection.
import { DisconnectReason, S_WHATSAPP_NET, type WASocket } from 'baileys'
import { type Clock, monotonicClock } from '../../kernel/async/clock.ts'
import { realTimers, type Timers } from '../../kernel/async/timers.ts'

/** How late an answer may be. */
const GRACE_MS = 5000

/** The parts of the library's socket that are used here. */
export interface KeptSocket extends Pick<WASocket, 'query' | 'generateMessageTag'> {
  ws: { isOpen: boolean; on(event: string, listener: (frame: unknown) => void): unknown }
  end(error: Error): unknown
}

export function startKeepAlive(
  socket: KeptSocket,
  intervalMs: number,
  clock: Clock = monotonicClock,
  timers: Timers = realTimers,
): void {
  let receivedAt: number | undefined
  // Frames of the handshake are bytes: nothing may be sent between them.
  socket.ws.on('frame', (frame) => {
    if (!(frame instanceof Uint8Array)) receivedAt = clock()
  })
  const timer = timers.setInterval(() => {
    if (receivedAt === undefined) return
    if (clock() - receivedAt > intervalMs + GRACE_MS) {
      timers.clearInterval(timer)
      void socket.end(lost())
    } else if (socket.ws.isOpen) void ping(socket)
  }, intervalMs)
  timer.unref()
  socket.ws.on('close', () => timers.clearInterval(timer))
}

const lost = (): Error =>
  Object.assign(new Error('Connection was lost'), { output: { statusCode: DisconnectReason.connectionLost } })

/** Any answer counts. If there is none, the next turn closes the connection. */
async function ping({ query, generateMessageTag }: KeptSocket): Promise<void> {
  const attrs = { id: generateMessageTag(), to: S_WHATSAPP_NET, type: 'get', xmlns: 'w:p' }
  await query({ tag: 'iq', attrs, content: [{ tag: 'ping', attrs: {} }] }).catch(() => undefined)
}
