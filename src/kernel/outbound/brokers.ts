// Connections to the brokers of destinations. Callers choose their addresses, so they pass the check of webhooks: public hosts only,
// over TLS unless the operator has named the host. The proxies of the server are not used: they are for HTTP.
import { connect as connectPlain, type LookupFunction, type Socket, type TcpNetConnectOpts } from 'node:net'
import { connect as connectTls, type SecureContext } from 'node:tls'
import { DESTINATIONS, type DestinationType } from '../../contract/destination-types.ts'
import { withoutTrailingDot } from './address-guard.ts'
import { type ConnectorParts, directTo, trustedContext, waitUntilConnected } from './connector.ts'
import { OutboundError } from './failure.ts'
import { parseAddress } from './ip-address.ts'
import type { SocketGuard } from './socket-guard.ts'
import { EXPECTED, type TargetCheck, TargetRefused, withoutBrackets } from './target.ts'

export interface BrokerTarget {
  /** Normalized, with a port unless it is a URL of HTTP. */
  href: string
  host: string
  port: number
  isSecure: boolean
  path: string
}

/** Options for a socket that only connects to checked addresses. */
export interface SocketOptions {
  host: string
  port: number
  lookup: LookupFunction
  autoSelectFamily: true
}

export interface TlsOptions {
  secureContext: SecureContext
  rejectUnauthorized: true
  servername: string
}

export interface Brokers {
  /** Checks the text of the URL only. Resolved addresses are checked at each connect. */
  check(type: DestinationType, text: string): BrokerTarget | TargetRefused
  /** For libraries that open their socket themselves, within `watchOpened` of a guard. Resolves the host and checks every address. */
  reach(target: BrokerTarget, signal: AbortSignal): Promise<SocketOptions>
  tls(target: BrokerTarget): TlsOptions
  /** For libraries that take an open socket. `isPlain`: without TLS, which the protocol starts later. */
  open(target: BrokerTarget, guard: SocketGuard, isPlain?: boolean): Promise<Socket>
}

export function createBrokers(parts: ConnectorParts, check: TargetCheck): Brokers {
  let context: SecureContext | undefined
  const brokers: Brokers = {
    check: (type, text) => checkBroker(check, type, text),
    async reach({ host, port }, signal) {
      const { lookup } = await directTo(parts, host, port, signal)
      return { host, port, lookup: lookup as LookupFunction, autoSelectFamily: true }
    },
    tls: ({ host }) => ({
      secureContext: (context ??= trustedContext(parts.extraCa)),
      rejectUnauthorized: true,
      servername: parseAddress(host) ? '' : withoutTrailingDot(host),
    }),
    async open(target, guard, isPlain = false) {
      const isSecure = target.isSecure && !isPlain
      const end = new AbortController()
      const timer = parts.timers.setTimeout(() => end.abort(new OutboundError('timeout')), parts.connectMs)
      const either = AbortSignal.any([guard.signal, end.signal])
      try {
        const options: TcpNetConnectOpts = await brokers.reach(target, either)
        const socket = guard.watch(
          isSecure ? connectTls({ ...options, ...brokers.tls(target) }) : connectPlain(options),
        )
        socket.setNoDelay(true)
        return await waitUntilConnected(socket, isSecure, either, 'connect')
      } finally {
        parts.timers.clearTimeout(timer)
      }
    },
  }
  return brokers
}

/**
 * The parser normalizes hosts only in URLs of schemes that it knows, so that the URL is checked as one of HTTP. The check of webhooks
 * then applies as it is.
 */
function checkBroker(check: TargetCheck, type: DestinationType, text: string): BrokerTarget | TargetRefused {
  const { secure, plain } = DESTINATIONS[type]
  const expected = new TargetRefused(
    `expected ${secure.scheme}://host without credentials and query, or ${plain.scheme}:// to a host in ALLOW_TARGETS`,
  )
  const [, scheme = '', authority = '', rest = ''] = /^([a-z]+):\/\/([^/?#]*)(.*)$/is.exec(text) ?? []
  const used = [secure, plain].find((each) => each.scheme === scheme.toLowerCase())
  if (!used || /[?#]/.test(rest)) return expected
  const isSecure = used === secure
  const host = /:\d+$/.test(authority) ? authority : `${authority}:${used.port}`
  const checked = check(`${isSecure ? 'https' : 'http'}://${host}${rest}`, 'webhook')
  if (checked instanceof TargetRefused) return checked.message === EXPECTED.webhook ? expected : checked
  const { url } = checked
  const port = Number(url.port) || (isSecure ? 443 : 80)
  const path = url.pathname === '/' ? '' : url.pathname
  return {
    href: type === 'sqs' ? url.href : `${used.scheme}://${url.hostname}:${port}${path}`,
    host: withoutBrackets(url.hostname),
    port,
    isSecure,
    path,
  }
}
