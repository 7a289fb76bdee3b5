// The origin by which a caller reaches this server: from the setting, otherwise from the request.
import type { FastifyRequest } from 'fastify'
import { invalidField } from '../../errors.ts'

type Reached = Pick<FastifyRequest, 'protocol' | 'host' | 'socket' | 'headers'>

/** Scheme, host and port, without a slash at the end. */
export function originOf(request: Reached, publicUrl: string | undefined): string {
  if (publicUrl !== undefined) return publicUrl.replace(/\/+$/, '')
  // A proxy may have terminated TLS. The header affects only the URLs in the answer to this caller.
  const isSecure = request.headers['x-forwarded-proto'] === 'https'
  const protocol = isSecure ? 'https' : request.protocol
  const named = URL.parse(`${protocol}://${request.host}`)
  // A Host header that is invalid, or contains a path or a user, is not repeated in the answer.
  if (named && named.host !== '' && named.pathname === '/' && named.username === '') return named.origin
  const { localAddress, localPort = 80 } = request.socket
  return `${protocol}://${urlHost(localAddress)}:${localPort}`
}

const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost'])

/**
 * The origin for answers by which a client decides where a person signs in and where a code goes. Without the setting, only this computer
 * and the address that the connection has reached are accepted: any other name in the Host header may be chosen by someone else, for
 * example by a host name that was made to lead here. Undefined: it is such a name.
 */
export function checkedOrigin(request: Reached, publicUrl: string | undefined): string | undefined {
  const origin = originOf(request, publicUrl)
  if (publicUrl !== undefined) return origin
  const { hostname } = new URL(origin)
  return LOOPBACK.has(hostname) || hostname === urlHost(request.socket.localAddress) ? origin : undefined
}

export function requireCheckedOrigin(request: Reached, publicUrl: string | undefined): string {
  const origin = checkedOrigin(request, publicUrl)
  if (origin === undefined)
    throw invalidField('Host', 'this host name is not checked: agents can sign in once PUBLIC_URL is set')
  return origin
}

/** A listener for both families reports IPv4 addresses in the form of IPv6. */
function urlHost(localAddress = '127.0.0.1'): string {
  const address = localAddress.replace(/^::ffff:(?=\d+\.)/, '')
  return address.includes(':') ? `[${address}]` : address
}
