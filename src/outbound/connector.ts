// Opens the connections of the outbound client: only to checked addresses, and only over verified TLS.
import { connect as connectPlain, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls, createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import type { buildConnector } from 'undici'
import type { Timers } from '../async/timers.ts'
import type { AddressGuard } from './address-guard.ts'
import { type AllowList, withoutTrailingDot } from './allow-list.ts'
import { type FailureKind, isConnectionReset, OutboundError } from './failure.ts'
import { parseAddress } from './ip-address.ts'
import type { OwnListeners } from './own-listeners.ts'
import type { Resolve } from './resolver.ts'
import { isHostAllowed, NOT_OWN, NOT_PUBLIC, TargetRefused, withoutBrackets } from './target.ts'

export interface ConnectorParts {
  guard: AddressGuard
  allow: AllowList
  own: OwnListeners
  resolve: Resolve
  /** For host names in the operator's allow list. */
  resolveAllowed: Resolve
  /** PEM certificates trusted in addition to the default roots. */
  extraCa: readonly string[]
  connectMs: number
  timers: Timers
}

/**
 * undici does not call `lookup` for literal addresses, and it would resolve a name again after a check. This connector
 * therefore checks the literal address, or resolves the name once and checks every address, and connects to exactly those.
 * DNS rebinding has no effect.
 */
export function createConnector(parts: ConnectorParts): buildConnector.connector {
  const secureContext = createSecureContext({ ca: [...getCACertificates('default'), ...parts.extraCa] })
  return (options, callback) => {
    open(parts, secureContext, options).then(
      (socket) => callback(null, socket),
      (error: unknown) =>
        callback(error instanceof Error ? error : new OutboundError('connect', error), null),
    )
  }
}

async function open(
  parts: ConnectorParts,
  secureContext: SecureContext,
  { hostname, protocol, port: givenPort }: buildConnector.Options,
): Promise<Socket> {
  const secure = protocol === 'https:'
  const port = Number(givenPort) || (secure ? 443 : 80)
  const end = new AbortController()
  const timer = parts.timers.setTimeout(() => end.abort(new OutboundError('timeout')), parts.connectMs)
  try {
    const addresses = await allowedAddresses(parts, hostname, port, end.signal)
    const common = {
      host: withoutBrackets(hostname),
      port,
      lookup: pinnedTo(addresses),
      autoSelectFamily: true,
    }
    const socket = secure
      ? connectTls({
          ...common,
          secureContext,
          // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED can change the default.
          rejectUnauthorized: true,
          ALPNProtocols: ['http/1.1'],
          servername: parseAddress(common.host) ? '' : withoutTrailingDot(common.host),
        })
      : connectPlain(common)
    socket.setNoDelay(true)
    return await waitUntilConnected(socket, secure, end.signal)
  } finally {
    parts.timers.clearTimeout(timer)
  }
}

async function allowedAddresses(
  { guard, allow, own, resolve, resolveAllowed }: ConnectorParts,
  hostname: string,
  port: number,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const host = withoutBrackets(hostname)
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

function resolved(resolve: Resolve, host: string, signal: AbortSignal): Promise<readonly string[]> {
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

function waitUntilConnected(socket: Socket, secure: boolean, signal: AbortSignal): Promise<Socket> {
  let phase: FailureKind = 'connect'
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
