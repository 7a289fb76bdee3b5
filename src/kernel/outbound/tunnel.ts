// Opens tunnels through the proxy of an instance or of the server: HTTP CONNECT over plain or TLS connections, and SOCKS5. The proxy
// of an instance passes the same check of addresses as other targets, because callers choose it.
import type { Socket } from 'node:net'
import { SocksClient } from 'socks'
import { type buildConnector, Client } from 'undici'
import type { ProxyAddress } from './proxy-address.ts'
import { guardOf } from './socket-guard.ts'
import { withoutBrackets } from './target.ts'

/**
 * unreachable: the proxy does not answer, or does not reach the host behind it. refused: it does not accept the credentials, or
 * does not allow the connection.
 */
export type ProxyFailure = 'unreachable' | 'refused'

const SENTENCES: Record<ProxyFailure, string> = {
  unreachable: 'the proxy does not answer, or does not reach the network',
  refused: 'the proxy refused the credentials or the connection',
}

/** Contains neither address nor credentials: it may be logged. */
export class ProxyError extends Error {
  readonly kind: ProxyFailure
  /** The form of a socket error, so that the network library treats it as one. */
  readonly code = 'ECONNPROXY'

  constructor(kind: ProxyFailure, detail = '') {
    super(`${SENTENCES[kind]}${detail === '' ? '' : `: ${detail}`}`)
    this.name = 'ProxyError'
    this.kind = kind
  }
}

export interface TunnelTarget {
  host: string
  port: number
}

/** Rejects with a `ProxyError`. */
export type OpenTunnel = (proxy: ProxyAddress, target: TunnelTarget) => Promise<Socket>

const ANSWER_MS = 10_000

export const createTunnels =
  (connect: buildConnector.connector): OpenTunnel =>
  (proxy, target) =>
    proxy.scheme === 'socks5' ? throughSocks(connect, proxy, target) : throughHttp(connect, proxy, target)

const BAD_REQUEST = 400
const SERVER_FAULT = 500

async function throughHttp(
  connect: buildConnector.connector,
  { scheme, hostname, port, username, password }: ProxyAddress,
  target: TunnelTarget,
): Promise<Socket> {
  const client = new Client(`${scheme}://${hostname}:${port}`, { connect, allowH2: false })
  const path = `${bracketed(target.host)}:${target.port}`
  const basic = Buffer.from(`${username}:${password}`).toString('base64')
  const headers = { host: path, ...(username === '' ? {} : { 'proxy-authorization': `Basic ${basic}` }) }
  const answer = await client
    .connect({ path, headers, signal: AbortSignal.timeout(ANSWER_MS) })
    .catch((error: unknown) => {
      void client.destroy()
      throw new ProxyError('unreachable', causeOf(error))
    })
  const { statusCode, socket } = answer
  socket.on('error', () => undefined)
  if (statusCode === 200) return handedOver(socket as Socket)
  socket.destroy()
  // The proxy answers with a server error when it cannot reach the host.
  const isRefusal = statusCode >= BAD_REQUEST && statusCode < SERVER_FAULT
  throw new ProxyError(isRefusal ? 'refused' : 'unreachable', `status ${statusCode}`)
}

/** Messages of the package that say that the proxy answered and refused. */
const SOCKS_REFUSALS = /Authentication failed|no accepted authentication type|NotAllowed/i

async function throughSocks(
  connect: buildConnector.connector,
  { hostname, port, username, password }: ProxyAddress,
  { host, port: targetPort }: TunnelTarget,
): Promise<Socket> {
  const plain = await connectTo(connect, hostname, port)
  try {
    const { socket } = await SocksClient.createConnection({
      proxy: {
        host: withoutBrackets(hostname),
        port,
        type: 5,
        ...(username === '' ? {} : { userId: username, password }),
      },
      command: 'connect',
      destination: { host: withoutBrackets(host), port: targetPort },
      timeout: ANSWER_MS,
      existing_socket: plain,
    })
    return handedOver(socket)
  } catch (error) {
    plain.destroy()
    // The error of the package has the credentials in it: only its message is used.
    const message = (error as Error).message
    throw new ProxyError(SOCKS_REFUSALS.test(message) ? 'refused' : 'unreachable', message)
  }
}

/** How much a proxy may send until a tunnel is open. */
export const TUNNEL_ANSWER_BYTES = 64 * 1024

/** The bytes now come from the host behind the proxy. The user of the tunnel bounds them. */
function handedOver(socket: Socket): Socket {
  guardOf(socket)?.release()
  return socket
}

const connectTo = (connect: buildConnector.connector, hostname: string, port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    connect({ hostname, protocol: 'http:', port: String(port) }, (error, socket) => {
      if (socket) resolve(socket)
      else reject(new ProxyError('unreachable', causeOf(error)))
    })
  })

/** The sentences of the outbound client contain no address. Others may. */
const causeOf = (error: unknown): string =>
  error instanceof Error && (error.name === 'OutboundError' || error.name === 'TargetRefused')
    ? error.message
    : ''

const bracketed = (host: string): string => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host)
