// The bound of connections to the outside. A stranger may send a limited number of bytes for each request that it was sent, and a
// connection is destroyed when its owner ends. Counted are the bytes that reach the reader of a socket, before anything keeps them.
import { AsyncLocalStorage } from 'node:async_hooks'
import { channel } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'

export interface SocketGuard {
  /** Aborted when the guard has ended, with the reason. */
  readonly signal: AbortSignal
  /** A socket that was just created. It then counts here, also if another guard had it. */
  watch<S extends Socket>(socket: S): S
  /** For libraries that open their sockets themselves: watches every socket that is created by the work, also later. */
  watchOpened<T>(work: () => T): T
  /** The answer may be as long as what is sent, in addition to the allowance, which is full again once the work has settled. */
  exchange<T>(sentBytes: number, work: () => Promise<T>): Promise<T>
  /** A request is sent: the allowance is full again. */
  renew(): void
  /** The sockets are no longer counted, because another reader has taken them over. */
  release(): void
  /** Destroys the sockets. */
  end(reason?: Error): void
}

export interface SocketGuardOptions {
  /** How much the other side may send for one request. */
  allowanceBytes: number
  /** Why the guard ends when the other side sends more. */
  tooMuch: () => Error
}

const guards = new WeakMap<Socket, GuardState>()
const opening = new AsyncLocalStorage<SocketGuard>()

interface GuardState {
  guard: SocketGuard
  /** False: they are more than may be read. */
  count(bytes: number): boolean
}

export function createSocketGuard({ allowanceBytes, tooMuch }: SocketGuardOptions): SocketGuard {
  const ended = new AbortController()
  const sockets = new Set<Socket>()
  let sentBytes = 0
  let readBytes = 0
  let isReleased = false
  const state: GuardState = {
    count(bytes) {
      if (isReleased) return true
      readBytes += bytes
      const isAllowed = readBytes <= allowanceBytes + sentBytes
      if (!isAllowed) guard.end(tooMuch())
      return isAllowed
    },
    get guard() {
      return guard
    },
  }
  const guard: SocketGuard = {
    signal: ended.signal,
    watch(socket) {
      announceSockets()
      if (!guards.has(socket)) countReads(socket)
      guards.set(socket, state)
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
      if (ended.signal.aborted) socket.destroy()
      return socket
    },
    watchOpened(work) {
      announceSockets()
      return opening.run(guard, work)
    },
    async exchange(bytes, work) {
      sentBytes += bytes
      try {
        return await work()
      } finally {
        sentBytes -= bytes
        readBytes = 0
      }
    },
    renew: () => void (readBytes = 0),
    release: () => void (isReleased = true),
    end(reason = new Error('The connection was closed.')) {
      if (ended.signal.aborted) return
      ended.abort(reason)
      // Without the reason: libraries remove their listeners now and then, and an error that has none would end the process.
      for (const socket of sockets) socket.destroy()
    },
  }
  return guard
}

export const guardOf = (socket: Socket): SocketGuard | undefined => guards.get(socket)?.guard

/** In front of the buffer of the stream: a listener for data would start it, and what was read before the reader is there would be lost. */
function countReads(socket: Socket): void {
  const push = socket.push.bind(socket)
  socket.push = (chunk: unknown, encoding?: BufferEncoding) => {
    const isAllowed = !(chunk instanceof Uint8Array) || (guards.get(socket)?.count(chunk.length) ?? true)
    return isAllowed && push(chunk, encoding)
  }
}

let isAnnounced = false

/** Node announces each socket of a client before it connects, and undici each request before it is written. */
function announceSockets(): void {
  if (isAnnounced) return
  isAnnounced = true
  channel('net.client.socket').subscribe((message) => {
    opening.getStore()?.watch((message as { socket: Socket }).socket)
  })
  channel('undici:client:sendHeaders').subscribe((message) => {
    guardOf((message as { socket: Socket }).socket)?.renew()
  })
}
