// A proxy in front of a server on the loopback that a test can close and open again.
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export interface Proxy {
  port: number
  /** Ends every connection and takes no new one. */
  shut(): Promise<void>
  /** Keeps every connection and passes nothing on, as a server that hangs. */
  stall(): void
  /** After `shut`. */
  open(): Promise<void>
}

export async function startProxy(
  target: { host: string; port: number },
  { host = '127.0.0.1', port: wanted = 0 } = {},
): Promise<Proxy> {
  const sockets = new Set<Socket>()
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
  }
  function pass(inner: Socket): void {
    const outer = connect(target.port, target.host)
    keep(inner)
    keep(outer)
    inner.pipe(outer).pipe(inner)
    inner.on('close', () => outer.destroy())
    outer.on('close', () => inner.destroy())
  }
  const server = createServer(pass)
  const listen = async (port: number) => {
    server.listen(port, host)
    await once(server, 'listening')
  }
  await listen(wanted)
  const { port } = server.address() as { port: number }
  return {
    port,
    stall() {
      for (const socket of sockets) socket.pause().unpipe()
      server.removeAllListeners('connection').on('connection', keep)
    },
    async shut() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
    open() {
      server.removeAllListeners('connection').on('connection', pass)
      return listen(port)
    },
  }
}
