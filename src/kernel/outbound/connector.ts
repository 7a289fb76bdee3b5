// Opens the connections of the outbound client: only to checked addresses, and only over verified TLS.
import { connect as connectPlain, type LookupFunction, type Socket, type TcpNetConnectOpts } from 'node:net'
import { connect as connectTls, createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import type { buildConnector } from 'undici'
import type { Timers } from '../async/timers.ts'
import { onAbort } from '../async/waiting.ts'
import { type AddressGuard, type AllowList, withoutTrailingDot } from './address-guard.ts'
import type { ConnectionTarget, ProxyRoutes } from './environment-proxies.ts'
import { type FailureKind, isConnectionReset, OutboundError } from './failure.ts'
import { parseAddress } from './ip-address.ts'
import type { OwnListeners } from './own-listeners.ts'
import type { ResolveHost } from './resolver.ts'
import { createSocketGuard } from './socket-guard.ts'
import { isHostAllowed, NOT_OWN, NOT_PUBLIC, TargetRefused, withoutBrackets } from './target.ts'

export interface ConnectorParts {
  guard: AddressGuard
  allow: AllowList
  own: OwnListeners
  resolve: ResolveHost
  /** For host names in the operator's allow list. */
  resolveAllowed: ResolveHost
  /** PEM certificates trusted in addition to the default roots. */
  extraCa: readonly string[]
  connectMs: number
  /** How many bytes a host may send for one request. */
  answerBytes: number
  timers: Timers
  /** The proxies of the server. */
  proxies?: ProxyRoutes | undefined
}

/** How long a name is looked up here before the proxy has to resolve it. Without DNS on this machine every name takes as long. */
const LOOKUP_MS = 2000

/**
 * undici does not call `lookup` for literal addresses, and it would resolve a name again after a check. This connector
 * therefore checks the literal address, or resolves the name once and checks every address, and connects to exactly those.
 * DNS rebinding has no effect.
 */
export function createConnector(parts: ConnectorParts): buildConnector.connector {
  let known: SecureContext | undefined
  // At the first connection over TLS, because reading all certificates takes 25 ms and 4 MB.
  const secureContext = () => (known ??= trustedContext(parts.extraCa))
  return (options, callback) => {
    open(parts, secureContext, options).then(
      (socket) => callback(null, socket),
      (error: unknown) =>
        callback(error instanceof Error ? error : new OutboundError('connect', error), null),
    )
  }
}

export const trustedContext = (extraCa: readonly string[]): SecureContext =>
  createSecureContext({ ca: [...getCACertificates('default'), ...extraCa] })

async function open(
  parts: ConnectorParts,
  secureContext: () => SecureContext,
  { hostname, protocol, port: givenPort }: buildConnector.Options,
): Promise<Socket> {
  const secure = protocol === 'https:'
  const port = Number(givenPort) || (secure ? 443 : 80)
  const end = new AbortController()
  const timer = parts.timers.setTimeout(() => end.abort(new OutboundError('timeout')), parts.connectMs)
  const host = withoutBrackets(hostname)
  const tls = () => ({
    secureContext: secureContext(),
    // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED can change the default.
    rejectUnauthorized: true,
    ALPNProtocols: ['http/1.1'],
    servername: parseAddress(host) ? '' : withoutTrailingDot(host),
  })
  try {
    const tunnel = await openTunnel(parts, { host, port, isSecure: secure }, end.signal)
    if (tunnel && !secure) return guarded(tunnel, parts.answerBytes)
    const common = tunnel ? { socket: tunnel, host } : await directTo(parts, host, port, end.signal)
    const socket = guarded(
      secure ? connectTls({ ...common, ...tls() }) : connectPlain(common as TcpNetConnectOpts),
      parts.answerBytes,
    )
    socket.setNoDelay(true)
    return await waitUntilConnected(socket, secure, end.signal, tunnel ? 'tls' : 'connect')
  } finally {
    parts.timers.clearTimeout(timer)
  }
}

/** The reader of the socket gets the reason of its end. */
function guarded(socket: Socket, answerBytes: number): Socket {
  const guard = createSocketGuard({
    allowanceBytes: answerBytes,
    tooMuch: () => new OutboundError('protocol'),
  })
  onAbort(guard.signal, () => socket.destroy(guard.signal.reason as Error))
  return guard.watch(socket)
}

export async function directTo(
  parts: ConnectorParts,
  host: string,
  port: number,
  signal: AbortSignal,
): Promise<TcpNetConnectOpts> {
  const addresses = await allowedAddresses(parts, host, port, signal)
  return { host, port, lookup: pinnedTo(addresses), autoSelectFamily: true }
}

/** Undefined: no proxy is used for this target. */
async function openTunnel(
  parts: ConnectorParts,
  target: ConnectionTarget,
  signal: AbortSignal,
): Promise<Socket | undefined> {
  const proxy = parts.proxies?.choose(target)
  if (!parts.proxies || !proxy) return undefined
  const host = await hostForProxy(parts, target, signal)
  const opening = parts.proxies.openTunnel(proxy, { host, port: target.port })
  return new Promise((done, fail) => {
    const onAbort = () => fail(signal.reason as Error)
    signal.addEventListener('abort', onAbort, { once: true })
    opening.then(
      (socket) => {
        signal.removeEventListener('abort', onAbort)
        // An error before undici adds its own listener would otherwise end the process.
        socket.on('error', () => undefined)
        if (signal.aborted) socket.destroy()
        done(socket)
      },
      (cause: unknown) => fail(new OutboundError('proxy', cause)),
    )
  })
}

/**
 * What is requested from the proxy. The address that it connects to is not visible here, so the proxy does not choose it: without TLS it
 * gets an address that was checked here. With TLS it gets the name, also one that only the proxy can resolve, because a private host
 * has no certificate for it (decision 0107).
 */
async function hostForProxy(
  parts: ConnectorParts,
  { host, port, isSecure }: ConnectionTarget,
  signal: AbortSignal,
): Promise<string> {
  const isByName = isSecure || parts.allow.hosts.has(withoutTrailingDot(host))
  const limit = AbortSignal.any([signal, AbortSignal.timeout(LOOKUP_MS)])
  try {
    const [address = host] = await allowedAddresses(parts, host, port, limit)
    return isByName ? host : address
  } catch (error) {
    if (error instanceof TargetRefused || signal.aborted) throw error
    if (isByName) return host
    throw new OutboundError('dns', error)
  }
}

async function allowedAddresses(
  { guard, allow, own, resolve, resolveAllowed }: ConnectorParts,
  host: string,
  port: number,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (!isHostAllowed(host, guard, allow)) throw new TargetRefused(NOT_PUBLIC)
  if (own.includesHost(host, port)) throw new TargetRefused(NOT_OWN)
  if (parseAddress(host)) return [host]
  const isNamed = allow.hosts.has(withoutTrailingDot(host))
  const found = await resolved(isNamed ? resolveAllowed : resolve, host, signal)
  const refused = found.some((text) => {
    const address = parseAddress(text)
    if (!address) return true
    // Even an allowed host name must not lead back to the gateway.
    return own.includesAddress(address, port) || (!isNamed && guard(address) !== undefined)
  })
  if (refused || found.length === 0) throw new TargetRefused(NOT_PUBLIC)
  return found
}

function resolved(resolve: ResolveHost, host: string, signal: AbortSignal): Promise<readonly string[]> {
  return new Promise((done, fail) => {
    signal.addEventListener('abort', () => fail(signal.reason as Error), { once: true })
    resolve(host, signal).then(done, (cause: unknown) => fail(new OutboundError('dns', cause)))
  })
}

/** A `lookup` that returns the checked addresses, so that the socket does not resolve the name again. */
const pinnedTo =
  (addresses: readonly string[]): LookupFunction =>
  (_hostname, _options, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: parseAddress(address)?.family ?? 0 })),
    )

export function waitUntilConnected(
  socket: Socket,
  secure: boolean,
  signal: AbortSignal,
  first: FailureKind,
): Promise<Socket> {
  let phase = first
  return new Promise((done, fail) => {
    const onAbort = () => socket.destroy(signal.reason as Error)
    // Never removed: an error before undici adds its own listener would otherwise end the process.
    socket.on('error', (cause: Error) => fail(connectFailure(phase, cause)))
    socket.once('connect', () => (phase = 'tls'))
    socket.once(secure ? 'secureConnect' : 'connect', () => {
      signal.removeEventListener('abort', onAbort)
      done(socket)
    })
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
  })
}

function connectFailure(phase: FailureKind, cause: Error): OutboundError {
  if (cause instanceof OutboundError) return cause
  const wasReset = phase === 'tls' && isConnectionReset(cause)
  return new OutboundError(wasReset ? 'reset' : phase, cause)
}
