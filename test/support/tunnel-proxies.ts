// Proxies with credentials for tests: HTTP CONNECT, with and without TLS, and SOCKS5 (RFC 1928 and 1929).
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { connect, createServer, type Server, type Socket } from 'node:net'

export interface TunnelProxy {
  port: number
  /** The hosts and ports that tunnels were opened to, in order. */
  targets: string[]
  /** How often wrong credentials were given. */
  refused(): number
  /** Ends every tunnel and takes no new connection. */
  shut(): Promise<void>
  /** After `shut`, on the same port. */
  open(): Promise<void>
}

export interface Login {
  username: string
  password: string
}

interface Book {
  targets: string[]
  refused: number
  sockets: Set<Socket>
  /** Addresses of names that only the proxy resolves. */
  names: Record<string, string>
}

const keep = ({ sockets }: Book, socket: Socket): Socket => {
  sockets.add(socket)
  return socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
}

function joinSockets(book: Book, client: Socket, host: string, port: number, onConnect: () => void): void {
  const remote = keep(book, connect(port, book.names[host] ?? host))
  remote.once('connect', () => {
    book.targets.push(`${host}:${port}`)
    onConnect()
    client.pipe(remote).pipe(client)
  })
  remote.on('close', () => client.destroy())
  client.on('close', () => remote.destroy())
}

export async function startHttpProxy(
  login: Login,
  tls?: { key: string; cert: string },
  names: Record<string, string> = {},
): Promise<TunnelProxy> {
  const expected = `Basic ${Buffer.from(`${login.username}:${login.password}`).toString('base64')}`
  const book: Book = { targets: [], refused: 0, sockets: new Set(), names }
  const make = () => {
    const server = tls ? createHttpsServer(tls) : createHttpServer()
    server.on('connect', (request, client: Socket) => {
      if (request.headers['proxy-authorization'] !== expected) {
        book.refused += 1
        client.end('HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n')
        return
      }
      const target = new URL(`http://${request.url}`)
      joinSockets(book, client, target.hostname, Number(target.port) || 80, () =>
        client.write('HTTP/1.1 200 Connection established\r\n\r\n'),
      )
    })
    return server
  }
  return running(make, book)
}

export async function startSocksProxy(login: Login): Promise<TunnelProxy> {
  const book: Book = { targets: [], refused: 0, sockets: new Set(), names: {} }
  const serve = async (client: Socket): Promise<void> => {
    const next = readerOf(client)
    const [, methods = 0] = await next(2)
    await next(methods)
    client.write(Buffer.from([5, 2]))
    const [, userBytes = 0] = await next(2)
    const username = (await next(userBytes)).toString()
    const [passwordBytes = 0] = await next(1)
    const password = (await next(passwordBytes)).toString()
    if (username !== login.username || password !== login.password) {
      book.refused += 1
      client.end(Buffer.from([1, 1]))
      return
    }
    client.write(Buffer.from([1, 0]))
    const [, , , kind] = await next(4)
    const host =
      kind === 1 ? [...(await next(4))].join('.') : (await next((await next(1))[0] ?? 0)).toString()
    const port = (await next(2)).readUInt16BE()
    joinSockets(book, client, host, port, () => client.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0])))
  }
  return running(() => createServer((client) => void serve(client).catch(() => client.destroy())), book)
}

/** Reads exactly this many bytes; the bytes after the handshake stay in the socket. */
const readerOf =
  (socket: Socket) =>
  async (count: number): Promise<Buffer> => {
    if (count === 0) return Buffer.alloc(0)
    for (;;) {
      const bytes = socket.read(count) as Buffer | null
      if (bytes) return bytes
      if (socket.readableEnded) throw new Error('the client has closed the connection')
      await once(socket, 'readable')
    }
  }

async function running(make: () => Server, book: Book): Promise<TunnelProxy> {
  let server = make()
  const listen = async (port: number) => {
    server.on('connection', (socket: Socket) => keep(book, socket))
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  await listen(0)
  const { port } = server.address() as { port: number }
  return {
    port,
    targets: book.targets,
    refused: () => book.refused,
    async shut() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of book.sockets) socket.destroy()
      await closed
    },
    async open() {
      server = make()
      await listen(port)
    },
  }
}
