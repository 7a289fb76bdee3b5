// Opens the connections of the guarded client: only to addresses that were judged, and only in TLS that was verified.
import { connect as connectPlain, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls, createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import type { buildConnector } from 'undici'
import type { AddressGuard } from './address-guard.ts'
import { type AllowList, withoutTrailingDot } from './allow-list.ts'
import { type FailureKind, isBrokenOff, OutboundError } from './failure.ts'
import { parseAddress } from './ip-address.ts'
import type { Resolve } from './resolver.ts'
import { isHostAllowed, NOT_PUBLIC, TargetRefused, withoutBrackets } from './target.ts'

export interface ConnectorParts {
  guard: AddressGuard
  allow: AllowList
  resolve: Resolve
  /** For names of the operator's own list. */
  resolveAllowed: Resolve
  /** PEM certificates that are trusted beside the usual roots. */
  extraCa: readonly string[]
  connectMs: number
}

/**
 * undici asks its `lookup` nothing about literal addresses and would resolve again after a check; so this connector does
 * it all: judges the literal or every resolved address, and connects to exactly those. A name that changes its mind
 * between check and connect changes nothing.
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
  { hostname, protocol, port }: buildConnector.Options,
): Promise<Socket> {
  const end = new AbortController()
  const timer = setTimeout(() => end.abort(new OutboundError('timeout')), parts.connectMs)
  try {
    const addresses = await judgedAddresses(parts, hostname, end.signal)
    const secure = protocol === 'https:'
    const common = {
      host: withoutBrackets(hostname),
      port: Number(port) || (secure ? 443 : 80),
      lookup: pinnedTo(addresses),
      autoSelectFamily: true,
    }
    const socket = secure
      ? connectTls({
          ...common,
          secureContext,
          // Said aloud, because the default of Node can be turned off from the environment.
          rejectUnauthorized: true,
          ALPNProtocols: ['http/1.1'],
          servername: parseAddress(common.host) ? '' : withoutTrailingDot(common.host),
        })
      : connectPlain(common)
    socket.setNoDelay(true)
    return await established(socket, secure, end.signal)
  } finally {
    clearTimeout(timer)
  }
}

async function judgedAddresses(
  { guard, allow, resolve, resolveAllowed }: ConnectorParts,
  hostname: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const host = withoutBrackets(hostname)
  if (!isHostAllowed(host, guard, allow)) throw new TargetRefused(NOT_PUBLIC)
  if (parseAddress(host)) return [host]
  const isNamed = allow.hosts.has(withoutTrailingDot(host))
  const found = await resolved(isNamed ? resolveAllowed : resolve, host, signal)
  const refused = found.some((text) => {
    const address = parseAddress(text)
    return !address || (!isNamed && guard(address) !== undefined)
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

/** Answers the socket's own question for the host with what was judged, whatever the name means by now. */
const pinnedTo =
  (addresses: readonly string[]): LookupFunction =>
  (_hostname, _options, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: parseAddress(address)?.family ?? 0 })),
    )

function established(socket: Socket, secure: boolean, signal: AbortSignal): Promise<Socket> {
  let phase: FailureKind = 'connect'
  return new Promise((done, fail) => {
    const onAbort = () => socket.destroy(signal.reason as Error)
    // Stays for good: between here and the client's own listener an error must not go unheard and end the process.
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
  const brokenOff = phase === 'tls' && isBrokenOff(cause)
  return new OutboundError(brokenOff ? 'reset' : phase, cause)
}
