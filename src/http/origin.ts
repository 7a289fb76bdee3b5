// The origin by which a caller reaches this server: from the setting, otherwise from the request.
import type { FastifyRequest } from 'fastify'

/** Scheme, host and port, without a slash at the end. */
export function originOf(
  request: Pick<FastifyRequest, 'protocol' | 'host' | 'socket' | 'headers'>,
  publicUrl: string | undefined,
): string {
  if (publicUrl !== undefined) return publicUrl.replace(/\/+$/, '')
  // A proxy may have terminated TLS. The header affects only the URLs in the answer to this caller.
  const isSecure = request.headers['x-forwarded-proto'] === 'https'
  const protocol = isSecure ? 'https' : request.protocol
  const named = URL.parse(`${protocol}://${request.host}`)
  // A Host header that is invalid, or contains a path or a user, is not repeated in the answer.
  if (named && named.host !== '' && named.pathname === '/' && named.username === '') return named.origin
  const { localAddress = '127.0.0.1', localPort = 80 } = request.socket
  const host = localAddress.includes(':') ? `[${localAddress}]` : localAddress
  return `${protocol}://${host}:${localPort}`
}
