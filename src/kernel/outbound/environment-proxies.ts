// The proxies of the server, from `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`: which connection goes through which proxy.
import { withoutTrailingDot } from './address-guard.ts'
import { contains, type IpBlock, parseAddress, parseBlock } from './ip-address.ts'
import type { ProxyAddress } from './proxy-address.ts'
import { withoutBrackets } from './target.ts'
import type { OpenTunnel } from './tunnel.ts'

export interface EnvironmentProxies {
  /** For http and ws. */
  http: ProxyAddress | undefined
  /** For https and wss. */
  https: ProxyAddress | undefined
  /** Hosts that are reached directly, as in `NO_PROXY`. */
  exempt: string
}

export interface ConnectionTarget {
  host: string
  port: number
  isSecure: boolean
}

/** The proxies of the server, ready for use. */
export interface ProxyRoutes {
  /** Undefined: the connection is direct. */
  choose(target: ConnectionTarget): ProxyAddress | undefined
  openTunnel: OpenTunnel
}

type Exemption = (host: string, port: number) => boolean

/** The sandbox and other programs on this machine are never behind a proxy. */
const LOOPBACK = 'localhost,127.0.0.0/8,::1'

export function createProxyChoice({ http, https, exempt }: EnvironmentProxies): ProxyRoutes['choose'] {
  const exemptions = `${LOOPBACK},${exempt}`.split(/[\s,]+/).flatMap((entry) => parseExemption(entry) ?? [])
  return ({ host, port, isSecure }) => {
    const name = plainName(host)
    return exemptions.some((covers) => covers(name, port)) ? undefined : isSecure ? https : http
  }
}

/** An address or a name, with a port. An IPv6 address with a port has brackets. */
const WITH_PORT = /^(\[[^\]]+\]|[^:]+):(\d{1,5})$/

/** Undefined: the entry is empty. One that is neither an address, a block nor a name covers nothing. */
function parseExemption(entry: string): Exemption | undefined {
  if (entry === '') return undefined
  if (entry === '*') return () => true
  const [, host = entry, port] = WITH_PORT.exec(entry) ?? []
  const covers = parseHosts(plainName(host))
  return port === undefined
    ? covers
    : (name, targetPort) => targetPort === Number(port) && covers(name, targetPort)
}

/** `example.com`, `.example.com` and `*.example.com` all cover the domain and its subdomains. */
function parseHosts(host: string): Exemption {
  const block = parseBlock(host)
  if (block) return (name) => isIn(block, name)
  const domain = host.replace(/^\*?\./, '')
  return (name) => name === domain || name.endsWith(`.${domain}`)
}

function isIn(block: IpBlock, name: string): boolean {
  const address = parseAddress(name)
  return address !== undefined && contains(block, address)
}

const plainName = (host: string): string => withoutTrailingDot(withoutBrackets(host)).toLowerCase()
