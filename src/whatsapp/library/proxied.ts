// Sends connections to the network through proxies: the socket, uploads and downloads. An instance has a proxy for all of them; the
// proxies of the server depend on the host.
import http from 'node:http'
import https from 'node:https'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { Agent } from 'undici'
import type { ProxyRoutes } from '../../kernel/outbound/environment-proxies.ts'
import type { ProxyAddress } from '../../kernel/outbound/proxy-address.ts'
import { withoutBrackets } from '../../kernel/outbound/target.ts'
import { ProxyError, type ProxyFailure } from '../../kernel/outbound/tunnel.ts'
import { NetworkError } from '../../network/network.ts'
import type { WhatsAppSettings } from '../settings.ts'

const PLAIN_SOCKET = /^ws:/

type Routes = Pick<WhatsAppSettings, 'socketAgent' | 'uploadAgent' | 'downloadDispatcher'>

export interface ProxiedRoutes extends Routes {
  /** Closes idle connections, when the session has ended. */
  close(): void
}

export function throughProxy(settings: WhatsAppSettings, proxy: ProxyAddress): ProxiedRoutes {
  const { openTunnel } = settings
  if (!openTunnel) throw new NetworkError('unavailable', 'this network cannot be reached through a proxy')
  return throughProxies(settings, { choose: () => proxy, openTunnel })
}

export function throughProxies(
  { hosts = {}, wsUrl = '' }: Pick<WhatsAppSettings, 'hosts' | 'wsUrl'>,
  { choose, openTunnel }: ProxyRoutes,
): ProxiedRoutes {
  const open = async (given: string, port: number, isPlain: boolean): Promise<Socket> => {
    const host = withoutBrackets(given)
    const proxy = choose({ host, port, isSecure: !isPlain })
    const socket = proxy ? await openTunnel(proxy, { host, port }) : await openDirectly(host, port)
    return isPlain ? socket : secured(socket, host, hosts.ca)
  }
  const isPlainSocket = PLAIN_SOCKET.test(wsUrl)
  const socketAgent = proxiedAgent(isPlainSocket ? new http.Agent() : new https.Agent(), (host, port) =>
    open(host, port, isPlainSocket),
  )
  const uploadAgent = proxiedAgent(new https.Agent({ keepAlive: true }), (host, port) =>
    open(host, port, hosts.mediaIsPlain ?? false),
  )
  const downloadDispatcher = new Agent({
    connect({ hostname, port, protocol }, callback) {
      const isSecure = protocol === 'https:' && hosts.mediaIsPlain !== true
      open(hostname, Number(port) || (protocol === 'https:' ? 443 : 80), !isSecure).then(
        (socket) => callback(null, socket),
        (error: Error) => callback(error, null),
      )
    },
  })
  return {
    socketAgent: socketAgent as https.Agent,
    uploadAgent,
    downloadDispatcher,
    close() {
      for (const agent of [socketAgent, uploadAgent]) agent.destroy()
      void downloadDispatcher.destroy()
    },
  }
}

function proxiedAgent<A extends http.Agent>(
  agent: A,
  open: (host: string, port: number) => Promise<Socket>,
): A {
  // Node waits for the callback when nothing is returned.
  agent.createConnection = (options, callback) => {
    open(options.host ?? '', Number(options.port)).then(
      (socket) => callback?.(null, socket),
      (error: Error) => callback?.(error, undefined as unknown as Socket),
    )
    return undefined
  }
  return agent
}

function openDirectly(host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, autoSelectFamily: true })
    socket.on('error', reject)
    socket.once('connect', () => resolve(socket))
  })
}

/** Explicit verification, because NODE_TLS_REJECT_UNAUTHORIZED can change the default. */
function secured(socket: Socket, host: string, ca: Uint8Array | undefined): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const secure = connectTls({
      socket,
      servername: /^[\d.]+$|:/.test(host) ? '' : host,
      host,
      rejectUnauthorized: true,
      ALPNProtocols: ['http/1.1'],
      ...(ca ? { ca: Buffer.from(ca) } : {}),
    })
    secure.on('error', reject)
    secure.once('secureConnect', () => resolve(secure))
    secure.once('close', () => reject(new ProxyError('unreachable', 'the connection was closed')))
  })
}

/** The failure of a proxy that ended a connection; undefined: another cause. */
export function proxyFailure(error: unknown): ProxyFailure | undefined {
  for (let each = error; each !== undefined && each !== null; ) {
    if (each instanceof ProxyError) return each.kind
    const { data, cause } = each as { data?: unknown; cause?: unknown }
    each = data ?? cause
  }
  return undefined
}
